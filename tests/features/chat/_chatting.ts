/** Chats of the tests: a server, a store and a screen that remembers. */
import { join } from "node:path";
import type { Conversation } from "../../../lib/core/projection/conversation/conversation.ts";
import { loadConversation, readTranscript } from "../../../lib/core/store/load_session.ts";
import { toMessages, type TranscriptItem } from "../../../mod.ts";
import { openLocalStore } from "../../../lib/core/store/open_store.ts";
import { readEvents } from "../../../lib/core/log/read_events.ts";
import type { LocalStore } from "../../../lib/core/store/local_store.ts";
import { anthropicClient } from "../../../lib/features/chat/models/anthropic_client.ts";
import type { Chat } from "../../../lib/features/chat/chat.ts";
import type {
  ChatOptions,
  Notice,
  PermissionRequest,
} from "../../../lib/features/chat/chat_options.ts";
import type { ModelClient } from "../../../lib/features/chat/models/model.ts";
import { openAiClient } from "../../../lib/features/chat/models/openai_client.ts";
import { retrying, type RetryOptions } from "../../../lib/features/chat/models/retry.ts";
import {
  type Dialect,
  ModelServer,
  type RequestBody,
  type Script,
} from "../../_support/model_servers.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

export const DIALECTS: readonly Dialect[] = ["openai", "anthropic"];

/** What a user saw. */
export class Screen {
  readonly items: TranscriptItem[] = [];
  readonly notices: Notice[] = [];
  readonly permissions: string[] = [];
  readonly requests: PermissionRequest[] = [];
  /** Text of the response under way, and of those before it. */
  live = "";
  /** Called with each fragment. */
  onLive: (live: string) => void = () => {};
  onRunning: (name: string) => void = () => {};
  answer: "yes" | "no" | "always" = "yes";

  options(): Pick<ChatOptions, "view" | "permit"> {
    return {
      permit: (request) => {
        this.requests.push(request);
        this.permissions.push(`${request.reason}: ${request.title}`);
        return Promise.resolve(this.answer);
      },
      view: {
        onItem: (item) => void this.items.push(item),
        onNotice: (notice) => void this.notices.push(notice),
        onCall: ({ name }) => this.onRunning(name),
        onDelta: (delta) => {
          if (delta.type !== "text") return;
          this.live += delta.text;
          this.onLive(this.live);
        },
      },
    };
  }

  /** Codes of what was told beside the items. */
  codes(): string[] {
    return this.notices.map(({ code }) => code);
  }
}

/** A client for a test's server. */
export function clientOf(
  server: ModelServer,
  retry: RetryOptions = { base_ms: 1 },
  context_limit = 100_000,
): ModelClient {
  const options = { base_url: server.url, model: "asked-model", context_limit };
  const client = server.dialect === "openai"
    ? openAiClient(options)
    : anthropicClient({ ...options, api_key: "test-key" });
  return retrying(client, retry);
}

/** What a test of a chat has. */
export interface Scene {
  server: ModelServer;
  store: LocalStore;
  screen: Screen;
  /** The tools' directory. */
  work: string;
  directory: string;
  options: ChatOptions;
}

/** Runs a test with a server, a store and a directory to work in. */
export async function withScene(
  dialect: Dialect,
  script: Script,
  test: (scene: Scene) => Promise<void>,
  more: Partial<ChatOptions> = {},
): Promise<void> {
  await withDirectory(async (directory) => {
    await using server = new ModelServer(dialect, script);
    const work = join(directory, "work");
    Deno.mkdirSync(work);
    const store = openLocalStore({ root: join(directory, "store") });
    const screen = new Screen();
    const model = clientOf(server);
    const system = "Be brief.";
    const options = { store, cwd: work, model, system, ...screen.options(), ...more };
    await test({ server, store, screen, work, directory, options });
  });
}

/** Path of the chat's log. */
export function logOf(chat: Chat): string {
  const { path } = chat.status();
  if (path === undefined) throw new Error("the chat has no log");
  return path;
}

/** Kinds of all events of a log, in order, but for what the session itself writes. */
export async function kindsIn(path: string): Promise<string[]> {
  const kinds: string[] = [];
  for await (const events of readEvents(path)) for (const { kind } of events) kinds.push(kind);
  return kinds.filter((kind) => kind !== "session_checkpoint");
}

/** What a reader of the log sees, but for its head and its end. */
export async function seenIn(path: string): Promise<TranscriptItem[]> {
  const items = await Array.fromAsync(readTranscript(path));
  return items.filter(({ type }) => type !== "session" && type !== "closed");
}

/** What the log says that the model gets next. */
export async function rebuilt(path: string): Promise<Conversation> {
  return await loadConversation(path, { reasoning: "include" });
}

/** The messages of a request as the dialect has them, of a log and a prompt that follows it. */
export async function requestAfter(
  path: string,
  prompt: string,
  dialect: Dialect,
): Promise<Pick<RequestBody, "system" | "messages">> {
  const { messages } = await rebuilt(path);
  const whole = [
    { role: "system" as const, content: "Be brief." },
    ...messages,
    { role: "user" as const, content: prompt },
  ];
  const shaped: unknown = toMessages(whole, dialect);
  return shaped as Pick<RequestBody, "system" | "messages">;
}

/** The part of a request that holds the conversation. */
export function conversationOf(body: RequestBody | undefined): unknown {
  if (body === undefined) return undefined;
  const { system, messages } = body;
  return system === undefined ? { messages } : { system, messages };
}
