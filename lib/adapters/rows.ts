/**
 * The conversation of a session, part by part, as SDKs hold it that have a list of items. What they
 * give has a number, in `provider_data` below the name of their shape.
 */
import type { Message, NewEvent, Part, Session } from "../../mod.ts";

/** A part of a conversation, with the role of its message. */
export interface Row {
  role: Message["role"];
  part: Part;
  /** Parts are in the order of their numbers: results of parallel calls stand as they came. */
  number?: number;
  /** First event of its message. */
  seq?: number;
  /** Belongs to the message of the part before it, which has the same role. */
  joins?: boolean;
}

/** Returns what a part keeps for a shape; undefined where it is of another program. */
export function keptOf(part: Part, shape: string): { number: number } | undefined {
  const { provider_data } = part as { provider_data?: Record<string, { number: number }> };
  return provider_data?.[shape];
}

/** Returns the parts of the conversation in the order of the items, and the event that it begins with. */
export async function history(
  session: Session,
  shape: string,
): Promise<{ rows: Row[]; base: number | undefined }> {
  const { messages, replaced_seq, compaction_seq } = await session.conversation();
  const base = compaction_seq ?? replaced_seq;
  let number = 0;
  const rows = messages.flatMap(({ role, content, seq }) => {
    const parts: Part[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
    return parts.map((part): Row => {
      number = keptOf(part, shape)?.number ?? number;
      return { role, part, seq, number };
    });
  });
  const ours = new Set(rows.map(({ part }) => callOf(part, "tool_call", shape)));
  // A result of a call of ours that is not ours was made up for models, which want one for each.
  const said = rows.filter(({ part }) =>
    keptOf(part, shape) !== undefined || !ours.has(callOf(part, "tool_result", shape) ?? "")
  );
  return { rows: said.toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0)), base };
}

function callOf(
  part: Part,
  type: "tool_call" | "tool_result",
  shape: string,
): string | undefined {
  if (part.type !== type) return undefined;
  return type === "tool_result" || keptOf(part, shape) !== undefined ? part.call_id : undefined;
}

/** Returns calls without a result; without those of an event that replaced the conversation. */
export function unsettledCalls(rows: readonly Row[], base?: number): Set<string> {
  const unsettled = new Set<string>();
  for (const { part, seq } of rows) {
    if (part.type === "tool_call" && (base === undefined || seq !== base)) {
      unsettled.add(part.call_id);
    }
    if (part.type === "tool_result") unsettled.delete(part.call_id);
  }
  return unsettled;
}

/** Returns rows as messages: what the model says in a row is one response. */
export function messagesOf(rows: readonly Row[]): Message[] {
  const messages: { role: Message["role"]; content: Part[] }[] = [];
  for (const { role, part, joins = role === "assistant" || role === "tool" } of rows) {
    const last = messages.at(-1);
    if (last?.role === role && joins && !isRepeated(last.content, part)) last.content.push(part);
    else messages.push({ role, content: [part] });
  }
  return messages;
}

/** A response makes each of its calls once. */
function isRepeated(parts: readonly Part[], part: Part): boolean {
  return part.type === "tool_call" &&
    parts.some((one) => one.type === "tool_call" && one.call_id === part.call_id);
}

/** Returns events that say what rows say; undefined where one settles a call that was replaced. */
export function eventsOf(rows: readonly Row[], open: Set<string>): NewEvent[] | undefined {
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
