/**
 * Keeps the history of OpenAI Agents in a session: its option `session`.
 *
 * A log only grows. If the SDK removes items, an event replaces the conversation. The removed items
 * stay in the transcript.
 *
 * @module
 */
import {
  fromMessages,
  type NewEvent,
  plainMessages,
  type SentConversation,
  type Session,
} from "../../../mod.ts";
import { inOrder } from "./in_order.ts";

const SHAPE = "openai-agents";

/** A `Session` of OpenAI Agents. Made by {@linkcode agentsSession}. */
export interface AgentsSession<Item extends object = object> {
  /** Returns the session's id in the store, by which `reprise show` finds the session. */
  getSessionId(): Promise<string>;
  /** Returns the last items, by default all items, the oldest first. */
  getItems(limit?: number): Promise<Item[]>;
  /** Appends items in one write. */
  addItems(items: Item[]): Promise<void>;
  /** Takes the last item out of the conversation and returns it. */
  popItem(): Promise<Item | undefined>;
  /** Empties the conversation. The log keeps the earlier events. */
  clearSession(): Promise<void>;
  /** Replaces the conversation by items, as a compaction. */
  replaceHistoryWithCompaction(items: Item[]): Promise<void>;
}

/**
 * Keeps the history of OpenAI Agents in a session. Any program can continue the session, and this
 * adapter can continue sessions of other programs. The caller ends the session.
 *
 * @param session The open session.
 * @returns The value of the SDK's option `session`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openStore } from "@reprise/reprise";
 * import { agentsSession } from "@reprise/reprise/adapters";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * {
 *   const session = openStore({ root }).create({ cwd: root });
 *   const history = agentsSession(session);
 *   // await run(agent, "Hello", { session: history });
 *   const item = { type: "message", role: "user", content: "Hello" };
 *   await history.addItems([item]);
 *   assert.deepEqual(await history.getItems(), [item]);
 *   assert.equal(session.summary.title, "Hello");
 *   assert.deepEqual(await history.popItem(), item);
 *   await session.release();
 * }
 * await rm(root, { recursive: true });
 * ```
 */
export function agentsSession<Item extends object>(session: Session): AgentsSession<Item> {
  async function getItems(limit: number = Infinity): Promise<Item[]> {
    const { items } = await session.request(SHAPE);
    return items.slice(Math.max(0, items.length - limit)) as object[] as Item[];
  }

  async function replace(items: readonly Item[], reason: string): Promise<void> {
    const payload = { messages: plainMessages(SHAPE, items), reason };
    await session.append({ kind: "conversation_replaced", payload });
  }

  return inOrder<AgentsSession<Item>>({
    getSessionId: () => Promise.resolve(session.id),
    getItems,
    async addItems(items): Promise<void> {
      const conversation = await session.conversation();
      const events = fromMessages(SHAPE, items, { before: conversation.messages });
      const replaced = replacedCalls(conversation);
      const settles = ({ kind, payload }: NewEvent): boolean =>
        kind === "tool_end" && replaced.has(payload.call_id);
      if (events.some(settles)) {
        return await replace(
          [...await getItems(), ...items],
          "the new items contain the result of an earlier tool call",
        );
      }
      await session.appendAll(events);
      await session.sync();
    },
    async popItem(): Promise<Item | undefined> {
      const items = await getItems();
      const last = items.pop();
      if (last !== undefined) await replace(items, "last item removed");
      return last;
    },
    async clearSession(): Promise<void> {
      if (session.on_disk) await session.compact({ messages: [] });
    },
    async replaceHistoryWithCompaction(items): Promise<void> {
      await session.compact({ messages: plainMessages(SHAPE, items) });
    },
  });
}

/** Returns ids of calls in the event that replaced the conversation. No later event ends them. */
function replacedCalls(
  { messages, compaction_seq, replaced_seq }: SentConversation<unknown>,
): Set<string> {
  const base = compaction_seq ?? replaced_seq;
  const parts = messages.flatMap(({ seq, content }) =>
    seq !== base || typeof content === "string" ? [] : content
  );
  return new Set(parts.flatMap((part) => part.type === "tool_call" ? [part.call_id] : []));
}
