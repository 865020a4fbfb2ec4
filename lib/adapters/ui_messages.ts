/**
 * Keeps the messages of an AI SDK chat, `UIMessage`s, in a session.
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import type { Session } from "../../mod.ts";
import { appendAll } from "./append_all.ts";
import { inOrder } from "./in_order.ts";
import { eventsOf, history, messagesOf } from "./rows.ts";
import { messagesIn, rowsOf, SHAPE, type UiMessage } from "./ui_parts.ts";

/** The messages of a chat. Made by {@linkcode uiMessages}. */
export interface UiMessages<Chat extends UiMessage = UiMessage> {
  /** Returns all messages, oldest first. */
  load(): Promise<Chat[]>;
  /**
   * Keeps all messages of the chat: new ones are appended. If an earlier one was edited or removed,
   * the conversation is replaced. The transcript keeps what was said before.
   */
  save(messages: readonly Chat[]): Promise<void>;
}

/**
 * Keeps the messages of an AI SDK chat in a session, which any program can continue. Load them
 * before a request, and save them when it is finished.
 *
 * @param session The open session, which the caller ends.
 * @returns What loads and saves.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { memoryStore } from "@reprise/reprise";
 * import { uiMessages } from "@reprise/reprise/adapters";
 *
 * await using session = memoryStore().create({ cwd: "/home/ada/src" });
 * const chat = uiMessages(session);
 * const parts = [{ type: "text", text: "Hello" }];
 * const messages = [...await chat.load(), { id: "m1", role: "user" as const, parts }];
 * // result.toUIMessageStreamResponse({ onFinish: ({ messages }) => chat.save(messages) })
 * await chat.save(messages);
 * assert.deepEqual(await chat.load(), messages);
 * ```
 */
export function uiMessages<Chat extends UiMessage>(session: Session): UiMessages<Chat> {
  const queued = inOrder();

  async function save(messages: readonly Chat[]): Promise<void> {
    const { rows } = await history(session, SHAPE);
    const kept = messagesIn(rows);
    const given = JSON.parse(JSON.stringify(messages)) as UiMessage[];
    const grows = kept.every((message, index) => isDeepStrictEqual(message, given[index]));
    const last = rows.at(-1)?.number ?? 0;
    const fresh = rowsOf(given.slice(kept.length), last);
    const events = grows ? eventsOf(fresh, new Set()) : undefined;
    if (events !== undefined) return await appendAll(session, events);
    const payload = { messages: messagesOf(rowsOf(given, 0)), reason: "history edited" };
    await session.append({ kind: "conversation_replaced", payload });
  }

  return {
    load: () => queued(async () => messagesIn((await history(session, SHAPE)).rows) as Chat[]),
    save: (messages) => queued(() => save(messages)),
  };
}
