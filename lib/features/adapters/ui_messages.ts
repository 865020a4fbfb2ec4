/**
 * Keeps the messages of an AI SDK chat, `UIMessage`s, in a session.
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import { fromMessages, plainMessages, type Session } from "../../../mod.ts";
import { inOrder } from "./in_order.ts";

const SHAPE = "ai-sdk-ui";

/** A message of the AI SDK's user interface, with the fields that Reprise reads. */
export interface UiMessage {
  /** The id that the AI SDK assigned; `event-` and a number for a message of another origin. */
  id: string;
  /** The author of the message: `user` is the person, `assistant` is the model. */
  role: "system" | "user" | "assistant";
  /** Texts, reasoning, calls with their results, files, and any other part of the SDK. */
  // deno-lint-ignore no-explicit-any
  parts: any[];
}

/** The messages of a chat. Made by {@linkcode uiMessages}. */
export interface UiMessages<Chat extends UiMessage = UiMessage> {
  /** Returns all messages, oldest first. */
  load(): Promise<Chat[]>;
  /**
   * Saves all messages of a chat by appending new ones. An edit or removal
   * of an earlier message changes what the model gets. The transcript keeps the old message.
   */
  save(messages: readonly Chat[]): Promise<void>;
}

/**
 * Keeps the messages of an AI SDK chat in a session, which any program can continue. Load them
 * before a request, and save them when it is finished.
 *
 * @param session The open session, which the caller ends.
 * @returns The functions that load and save the messages.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { memoryStore } from "@reprise/reprise";
 * import { uiMessages } from "@reprise/reprise/adapters";
 *
 * const session = memoryStore().create({ cwd: "/home/ada/src" });
 * const chat = uiMessages(session);
 * const parts = [{ type: "text", text: "Hello" }];
 * const messages = [...await chat.load(), { id: "m1", role: "user" as const, parts }];
 * // result.toUIMessageStreamResponse({ onFinish: ({ messages }) => chat.save(messages) })
 * await chat.save(messages);
 * assert.deepEqual(await chat.load(), messages);
 * await session.release();
 * ```
 */
export function uiMessages<Chat extends UiMessage>(session: Session): UiMessages<Chat> {
  async function load(): Promise<Chat[]> {
    return (await session.request(SHAPE)).messages as UiMessage[] as Chat[];
  }

  return inOrder<UiMessages<Chat>>({
    load,
    async save(messages): Promise<void> {
      const kept = await load();
      const given = JSON.parse(JSON.stringify(messages)) as UiMessage[];
      if (kept.every((message, index) => isDeepStrictEqual(message, given[index]))) {
        await session.appendAll(fromMessages(SHAPE, given.slice(kept.length)));
        return await session.sync();
      }
      const payload = { messages: plainMessages(SHAPE, given), reason: "history edited" };
      await session.append({ kind: "conversation_replaced", payload });
    },
  });
}
