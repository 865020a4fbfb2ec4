/**
 * The scenes of `testdata/chat/scenes.txt`. Whatever a scene is about, what was shown is what the log
 * has, and each turn asks for what the log says. A rule that names no dialect holds for both.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { Chat } from "../../../lib/features/chat/chat.ts";
import type { ChatOptions } from "../../../lib/features/chat/chat_options.ts";
import type { TranscriptItem } from "../../../mod.ts";
import type { Dialect, RequestBody } from "../../_support/model_servers.ts";
import type { Tests } from "../../_support/tests_in.ts";
import { testScenes } from "../../_support/told_scenes.ts";
import {
  clientOf,
  conversationOf,
  DIALECTS,
  kindsIn,
  logOf,
  rebuilt,
  requestAfter,
  type Scene,
  seenIn,
  withScene,
} from "./_chatting.ts";

interface Options extends Pick<ChatOptions, "max_requests" | "tools"> {
  context_limit?: number;
}

/** A chat that does the steps of a scene, and how much of it was told. */
class PlayedChat {
  readonly #scene: Scene;
  #chat: Chat | undefined;
  #told = { notices: 0, permissions: 0, items: 0, kinds: 0, requests: 0 };

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  async play(step: string): Promise<string[]> {
    const [, verb = "", text = ""] = /^(\S+) ?(.*)$/.exec(step) ?? [];
    const { server, screen, work } = this.#scene;
    const [name = "", rest = ""] = text.split(": ");
    switch (verb) {
      case "file":
        Deno.writeTextFileSync(join(work, name), `${rest}\n`);
        return [];
      case "answers":
        server.then_answer(JSON.parse(text));
        return [];
      case "permits":
        screen.answer = text as typeof screen.answer;
        return [];
      case "starts":
        this.#chat = await Chat.start(this.#options(JSON.parse(text)));
        return [];
      case "resumes":
        return await this.#resume();
      case "prompts":
        return await this.#prompt(text);
      case "stops-at":
        return await this.#prompt(rest, name);
      case "compacts": {
        const { result } = await (await this.#started()).compact(text);
        return await this.#tell(result);
      }
      case "log-has":
        return [`${Deno.readTextFileSync(logOf(await this.#started())).includes(text)}`];
      default:
        throw new Error(`no such step: ${verb}`);
    }
  }

  #options({ context_limit, ...more }: Options = {}): ChatOptions {
    const { server, options } = this.#scene;
    const model = context_limit === undefined ? options.model : clientOf(server, {}, context_limit);
    return { ...options, model, ...more };
  }

  async #started(): Promise<Chat> {
    return this.#chat ??= await Chat.start(this.#options());
  }

  async #resume(): Promise<string[]> {
    const chat = await this.#started();
    await chat.close();
    this.#chat = await Chat.resume(chat.status().session_id ?? "", this.#options());
    assert.deepEqual(this.#chat.messages(), chat.messages());
    return [];
  }

  async #prompt(prompt: string, stop_at?: string): Promise<string[]> {
    const { server, screen } = this.#scene;
    const chat = await this.#started();
    const { on_disk } = chat.status();
    const expected = on_disk && await requestAfter(logOf(chat), prompt, server.dialect);
    const stop = new AbortController();
    screen.onLive = (live) => stop_at && live.includes(stop_at) ? stop.abort() : undefined;
    const end = await chat.submit(prompt, { signal: stop.signal });
    if (expected) assert.deepEqual(conversationOf(server.bodies[this.#told.requests]), expected);
    return await this.#tell(end);
  }

  /** What happened since it was last told. */
  async #tell(end: string): Promise<string[]> {
    const { server, screen } = this.#scene;
    const chat = await this.#started();
    const path = logOf(chat);
    assert.deepEqual(screen.items, await seenIn(path));
    assert.deepEqual(chat.messages(), (await rebuilt(path)).messages);
    const said = screen.items.flatMap((item) =>
      item.type === "message" && item.role === "assistant" ? [item.content] : []
    );
    assert.equal(said.join(""), screen.live);
    const kinds = await kindsIn(path);
    const { notices, permissions, items, requests } = this.#told;
    const told = [
      ...server.bodies.slice(requests).map((body) => `asks ${requestInShort(body)}`),
      ...screen.permissions.slice(permissions).map((text) => `may? ${text}`),
      ...screen.notices.slice(notices).map(({ code }) => `notice ${code}`),
      ...screen.items.slice(items).map((item) => `shows ${itemInShort(item)}`),
      `logs ${kinds.slice(this.#told.kinds).join(" ")}`,
      end,
    ];
    this.#told = {
      notices: screen.notices.length,
      permissions: screen.permissions.length,
      items: screen.items.length,
      kinds: kinds.length,
      requests: server.bodies.length,
    };
    return told;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chat?.close();
  }
}

/** The texts of a request, and the calls whose results it has. */
function requestInShort({ messages, tools }: RequestBody): string {
  const said = messages.filter(({ role }) => role !== "system");
  const results = JSON.stringify(messages).matchAll(/"tool_(?:call|use)_id":"([^"]+)"/g);
  const ids = [...results].map(([, id]) => `, result of ${id}`);
  const texts = said.flatMap(({ content }) => textsIn(content));
  return `${JSON.stringify(texts)}${ids.join("")}${tools === undefined ? ", without tools" : ""}`;
}

/** The texts of a message, in either dialect. */
function textsIn(content: unknown): string[] {
  // OpenAI's messages have one text, where Anthropic's have several.
  if (typeof content === "string") return content === "" ? [] : content.split("\n\n");
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => textsIn(block.text ?? block.content));
}

/** The members of an item that a scene is about. */
const MEMBERS = new Set([
  ...["type", "role", "content", "model", "interrupted", "reason", "command", "name", "status"],
  ...["output", "error", "message", "trigger", "summary"],
]);

function itemInShort(item: TranscriptItem): string {
  const members = Object.entries(item).filter(([member]) => MEMBERS.has(member));
  // How a stream broke off is said in the system's words.
  return JSON.stringify(Object.fromEntries(members)).replace(/(?<=broke off: )[^"]+/, "…");
}

/** The scenes of a dialect, each with a server that speaks it. */
function inDialect(dialect: Dialect): Tests<PlayedChat> {
  return {
    test: (rule, body) => {
      const named = /\((\w+)\)$/.exec(rule)?.[1];
      if (named !== undefined && named !== dialect) return;
      Deno.test(
        named === undefined ? `${rule} (${dialect})` : rule,
        () =>
          withScene(dialect, [], async (scene) => {
            await using chat = new PlayedChat(scene);
            await body(chat);
          }),
      );
    },
  };
}

for (const dialect of DIALECTS) {
  const file = new URL("../../../testdata/chat/scenes.txt", import.meta.url);
  testScenes(file, inDialect(dialect), (chat, step) => chat.play(step));
}
