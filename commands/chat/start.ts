/** Resolves a chat's start: the model, whether it is saved, and the session to continue. */
import type { Chat } from "../../lib/features/chat/chat.ts";
import type { ChatOptions } from "../../lib/features/chat/chat_options.ts";
import type { ModelClient } from "../../lib/features/chat/models/model.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { ChatTalk } from "../../lib/frontends/screens/chat/current_chat.ts";
import { readConfig } from "../../lib/core/workspace/config_file.ts";
import { realDirectory } from "../../lib/core/workspace/real_directory.ts";
import type { Flags, FlagsOf } from "../_command.ts";
import type { Context } from "../_context.ts";
import { parseCount } from "../_values.ts";
import { openWhole } from "../_session.ts";
import { contextStore } from "../_store.ts";
import { present } from "../../lib/core/event/present.ts";

export const CHAT_FLAGS = {
  "--model <name>":
    "the model (PROVIDER:NAME, such as anthropic:claude-sonnet-4-5), or mock for an offline test",
  "--continue": "continue this directory's latest session",
  "--resume [ref]": {
    help: "continue a session of any agent; without REF, choose one",
    conflicts: ["continue"],
  },
  "--no-session": "save nothing",
  "--tools <which>": {
    help: "include or omit the earlier tool calls of a resumed session",
    choices: ["include", "omit"],
    default: "include",
  },
  "--window <tokens>": {
    help: "size of the model's context window in tokens",
    parse: parseCount,
  },
  "--thinking <tokens>": {
    help: "thinking budget of an Anthropic model in tokens",
    parse: parseCount,
  },
  "--yes": "allow every tool call without asking",
  "--json": "in a pipe: print each message and call as one line of JSON",
} as const satisfies Flags;

export type ChatFlags = FlagsOf<typeof CHAT_FLAGS>;

export interface ChatSettings extends ChatTalk {
  context: Context;
  model: ModelClient;
  save: boolean;
  past_calls: "include" | "omit";
}

/** Chooses the model by the flags, else the settings, else the environment. */
export async function chosenModel(context: Context, flags: ChatFlags): Promise<ModelClient> {
  const { chooseModel } = await import("../../lib/features/chat/models/choose_model.ts");
  const { window: context_limit, thinking: thinking_tokens } = flags;
  const model = flags.model ?? readConfig(contextStore(context).root)["chat.model"];
  const { variable } = context;
  return await chooseModel(present({ variable, model, context_limit, thinking_tokens }));
}

export function savingOf(context: Context, flags: ChatFlags): { save: boolean; note?: string } {
  if (!flags.session) return { save: false };
  if (readConfig(contextStore(context).root)["session.enabled"]) return { save: true };
  return { save: false, note: "Recording is off (session.enabled), so nothing is saved" };
}

export async function startRef(context: Context, flags: ChatFlags): Promise<string | undefined> {
  if (typeof flags.resume === "string") return flags.resume;
  const store = contextStore(context);
  const by_setting = flags.resume === undefined && flags.session &&
    readConfig(store.root)["session.resume_last_on_start"];
  if (!flags.continue && !by_setting) return undefined;
  const last = await store.last({ cwd: context.cwd });
  if (last !== undefined || !flags.continue) return last?.ref;
  const message =
    `Cannot continue: there is no session in ${context.cwd} yet; leave out --continue`;
  throw new SessionError("not-found", message);
}

export async function newChat(settings: ChatSettings): Promise<Chat> {
  const { Chat } = await import("../../lib/features/chat/chat.ts");
  return await Chat.start(chatOptions(settings));
}

/**
 * Continues a session of Reprise, or a copy of another agent's session.
 *
 * @param inCopy Called if another process writes the session. Returns true to continue in a copy.
 */
export async function resumedChat(
  settings: ChatSettings,
  ref: string,
  inCopy: (error: SessionError) => Promise<boolean>,
): Promise<Chat> {
  const { Chat } = await import("../../lib/features/chat/chat.ts");
  const id = await ownId(settings, ref);
  const options = chatOptions(settings);
  try {
    return await Chat.resume(id, options);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "locked") throw error;
    if (!await inCopy(error)) throw error;
    return await Chat.forkFrom(id, options);
  }
}

/**
 * Returns the id of a session that Reprise can write. Imports another agent's session first, or
 * forks a shared session.
 */
async function ownId({ context, tell }: ChatSettings, ref: string): Promise<string> {
  const source = await openWhole(context, ref);
  if (source.writable) return source.id;
  if (source.session.ref !== undefined) {
    const { cwd } = context;
    const forked = await contextStore(context).makeFork(await source.summary(), { cwd });
    tell(`Forked: the copy of ${source.ref} is session ${forked.session_id}`);
    return forked.session_id;
  }
  const { importHandle } = await import("../../lib/library/handle/import/import_handle.ts");
  const default_cwd = realDirectory(context.cwd);
  const { session_id, status } = await importHandle(contextStore(context), source, {
    default_cwd,
    onError: ({ message }) => tell(`reprise: ${message}`),
  });
  const kept = source.log === undefined ? source.ref : source.path;
  tell(
    status === "imported"
      ? `Imported ${kept} as session ${session_id}`
      : `Already imported as session ${session_id}. The original has not changed since: ${kept}`,
  );
  return session_id;
}

function chatOptions(settings: ChatSettings): ChatOptions {
  const { context, model, save, past_calls, view, permit } = settings;
  const store = contextStore(context);
  return {
    store,
    cwd: context.cwd,
    model,
    save,
    past_calls,
    view,
    permit,
    app: { name: "reprise chat", version: context.version },
    now: context.now,
  };
}
