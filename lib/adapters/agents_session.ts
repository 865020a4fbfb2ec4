/**
 * Keeps the history of OpenAI Agents in a session: its option `session`.
 *
 * A log only grows. What the SDK takes back is taken out of the conversation, by an event that says
 * so, and stays in the transcript.
 *
 * @module
 */
import type { Session } from "../../mod.ts";
import { itemOf, rowsOf, SHAPE } from "./agents_items.ts";
import { appendAll } from "./append_all.ts";
import { inOrder } from "./in_order.ts";
import { eventsOf, history, messagesOf, type Row, unsettledCalls } from "./rows.ts";

/** A `Session` of OpenAI Agents. Made by {@linkcode agentsSession}. */
export interface AgentsSession<Item extends object = object> {
  /** Returns the session's id. */
  getSessionId(): Promise<string>;
  /** Returns the last items, or all of them, oldest first. */
  getItems(limit?: number): Promise<Item[]>;
  /** Appends items in one write. */
  addItems(items: Item[]): Promise<void>;
  /** Takes the last item out of the conversation and returns it. */
  popItem(): Promise<Item | undefined>;
  /** Empties the conversation. */
  clearSession(): Promise<void>;
  /** Puts items in the place of the conversation: a compaction. */
  replaceHistoryWithCompaction(items: Item[]): Promise<void>;
}

/**
 * Keeps the history of OpenAI Agents in a session. The session can be continued by any program, and
 * one that another program began can be continued here. The caller ends it.
 *
 * @param session The open session.
 * @returns The value of the SDK's option `session`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openStore } from "@reprise/reprise";
 * import { agentsSession } from "@reprise/reprise/adapters";
 *
 * const root = await Deno.makeTempDir();
 * {
 *   await using session = openStore({ root }).create({ cwd: root });
 *   const history = agentsSession(session);
 *   // await run(agent, "Hello", { session: history });
 *   const item = { type: "message", role: "user", content: "Hello" };
 *   await history.addItems([item]);
 *   assert.deepEqual(await history.getItems(), [item]);
 *   assert.equal(session.summary.title, "Hello");
 *   assert.deepEqual(await history.popItem(), item);
 * }
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export function agentsSession<Item extends object>(session: Session): AgentsSession<Item> {
  const queued = inOrder();

  async function add(items: readonly object[]): Promise<void> {
    const { rows, base } = await history(session, SHAPE);
    const fresh = rowsOf(items, (rows.at(-1)?.number ?? 0) + 1, unsettledCalls(rows));
    const events = eventsOf(fresh, unsettledCalls(rows, base));
    if (events !== undefined) return await appendAll(session, events);
    await replace([...rows, ...fresh], "result of an earlier call");
  }

  async function replace(rows: readonly Row[], reason: string): Promise<void> {
    const payload = { messages: messagesOf(rows), reason };
    await session.append({ kind: "conversation_replaced", payload });
  }

  return {
    getSessionId: () => Promise.resolve(session.id),
    getItems: (limit) =>
      queued(async () => {
        const { rows } = await history(session, SHAPE);
        const wanted = limit === undefined ? rows : rows.slice(Math.max(0, rows.length - limit));
        return wanted.map((row) => itemOf(row) as Item);
      }),
    addItems: (items) => queued(() => add(items)),
    popItem: () =>
      queued(async () => {
        const { rows } = await history(session, SHAPE);
        const last = rows.pop();
        if (last === undefined) return undefined;
        await replace(rows, "last item taken back");
        return itemOf(last) as Item;
      }),
    clearSession: () =>
      queued(async () => {
        if (session.on_disk) await session.compact({ messages: [] });
      }),
    replaceHistoryWithCompaction: (items) =>
      queued(async () => {
        await session.compact({ messages: messagesOf(rowsOf(items, 1, new Set())) });
      }),
  };
}
