/**
 * Keeps the history of OpenAI Agents in a session: its option `session`.
 *
 * A log only grows. What the SDK takes back is taken out of the conversation, by an event that says
 * so, and stays in the transcript.
 *
 * @module
 */
import type { Message, NewEvent, Part, Session } from "../../mod.ts";
import { itemOf, keptOf, type Row, rowsOf } from "./agents_items.ts";
import { appendAll } from "./append_all.ts";
import { inOrder } from "./in_order.ts";

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
    const { rows, base } = await history(session);
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
        const { rows } = await history(session);
        const wanted = limit === undefined ? rows : rows.slice(Math.max(0, rows.length - limit));
        return wanted.map((row) => itemOf(row) as Item);
      }),
    addItems: (items) => queued(() => add(items)),
    popItem: () =>
      queued(async () => {
        const { rows } = await history(session);
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

/** The parts of the conversation in the order of the items, and the event that it begins with. */
async function history(session: Session): Promise<{ rows: Row[]; base: number | undefined }> {
  const { messages, replaced_seq, compaction_seq } = await session.conversation();
  const base = compaction_seq ?? replaced_seq;
  let number = 0;
  const rows = messages.flatMap(({ role, content, seq }) => {
    const parts: Part[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
    return parts.map((part): Row => {
      number = keptOf(part)?.number ?? number;
      return { role, part, seq, number };
    });
  });
  const ours = new Set(rows.map(({ part }) => callOf(part, "tool_call")));
  // A result of a call of ours that is not ours was made up for models, which want one for each.
  const said = rows.filter(({ part }) =>
    keptOf(part) !== undefined || !ours.has(callOf(part, "tool_result") ?? "")
  );
  return { rows: said.toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0)), base };
}

function callOf(part: Part, type: "tool_call" | "tool_result"): string | undefined {
  if (part.type !== type) return undefined;
  return type === "tool_result" || keptOf(part) !== undefined ? part.call_id : undefined;
}

/** Calls without a result; without those of an event that replaced the conversation. */
function unsettledCalls(rows: readonly Row[], base?: number): Set<string> {
  const unsettled = new Set<string>();
  for (const { part, seq } of rows) {
    if (part.type === "tool_call" && (base === undefined || seq !== base)) {
      unsettled.add(part.call_id);
    }
    if (part.type === "tool_result") unsettled.delete(part.call_id);
  }
  return unsettled;
}

/** Rows as messages: what the model says in a row is one response. */
function messagesOf(rows: readonly Row[]): Message[] {
  const messages: { role: Message["role"]; content: Part[] }[] = [];
  for (const { role, part } of rows) {
    const last = messages.at(-1);
    const joins = last?.role === role && (role === "assistant" || role === "tool");
    if (joins && !isRepeated(last.content, part)) last.content.push(part);
    else messages.push({ role, content: [part] });
  }
  return messages;
}

/** A response makes each of its calls once. */
function isRepeated(parts: readonly Part[], part: Part): boolean {
  return part.type === "tool_call" &&
    parts.some((one) => one.type === "tool_call" && one.call_id === part.call_id);
}

/** Events that say what rows say; undefined where one settles a call that was replaced. */
function eventsOf(rows: readonly Row[], open: Set<string>): NewEvent[] | undefined {
  const events: NewEvent[] = [];
  for (const { role, content } of messagesOf(rows)) {
    if (role === "assistant") {
      events.push({ kind: "assistant_message", payload: { content } });
    } else if (role !== "tool") {
      const named = role === "system" ? { role } : {};
      events.push({ kind: "user_message", payload: { content, ...named } });
    }
    for (const part of content as Part[]) {
      if (part.type === "tool_call") open.add(part.call_id);
      if (part.type !== "tool_result") continue;
      if (!open.delete(part.call_id)) return undefined;
      const { type: _type, audience: _audience, ...payload } = part;
      events.push({ kind: "tool_end", payload });
    }
  }
  return events;
}
