/**
 * Items of OpenAI Agents as parts of messages, and back. Each item is one part. What an item has and
 * a part has no field for is kept in `provider_data`, so that every item comes back as it was.
 */
import { type Part, SessionError } from "../../mod.ts";
import { keptOf, type Row } from "./rows.ts";

/** An item: what OpenAI Agents calls `AgentInputItem`, as far as it is looked at. */
interface Item {
  type?: string;
  role?: string;
  callId?: string;
  name?: string;
  arguments?: string;
  content?: unknown;
  output?: unknown;
}

/** What `provider_data` of a part holds. */
interface Kept {
  /** The item, with {@linkcode HOLE} in the place of the part's own text. */
  item: unknown;
}

/** Name of the items in `provider_data`. */
export const SHAPE = "openai-agents";
const HOLE = { $reprise: "text" };

/**
 * Returns the parts that stand for items.
 *
 * @param number The first item's number.
 * @param unsettled Calls before the items that have no result yet. Changed.
 */
export function rowsOf(
  items: readonly object[],
  number: number,
  unsettled: Set<string>,
): Row[] {
  return items.map((item, index) => {
    const row = rowOf(item, number + index, unsettled);
    if (row.part.type === "tool_call") unsettled.add(row.part.call_id);
    if (row.part.type === "tool_result") unsettled.delete(row.part.call_id);
    return row;
  });
}

function rowOf(given: object, number: number, unsettled: ReadonlySet<string>): Row {
  const item = given as Item;
  const text = textOf(item);
  const provider_data = { [SHAPE]: { number, item: hollowed(given, text) } };
  const { callId: call_id, name = "tool" } = item;
  if (item.type === "function_call" && call_id) {
    const call = { type: "tool_call" as const, call_id, name, ...inputOf(text), provider_data };
    return { role: "assistant", part: call, number };
  }
  // No model takes a result of no call: such a one is only text.
  if (item.type === "function_call_result" && call_id && unsettled.has(call_id)) {
    const status = "ok" as const;
    const result = { type: "tool_result" as const, call_id, name, status, output: text };
    return { role: "tool", part: { ...result, provider_data }, number };
  }
  const type = item.type === "reasoning" ? "reasoning" : "text";
  const role = item.role === "user" || item.role === "system" ? item.role : "assistant";
  return { role, part: { type, text, provider_data }, number };
}

/** Returns the item that a part stands for, made of its fields where another program appended it. */
export function itemOf({ role, part }: Row): object {
  const text = partText(part);
  const kept = keptOf(part, SHAPE) as Kept | undefined;
  if (kept !== undefined) return filled(kept.item, text) as object;
  if (part.type === "tool_call") {
    const { call_id: callId, name } = part;
    return { type: "function_call", callId, name, arguments: text, status: "completed" };
  }
  if (part.type === "tool_result") {
    const { call_id: callId, name } = part;
    const output = { type: "text", text };
    return { type: "function_call_result", callId, name, status: "completed", output };
  }
  if (part.type === "reasoning") {
    return { type: "reasoning", content: [{ type: "input_text", text }] };
  }
  if (role !== "assistant") return { type: "message", role, content: text };
  const content = [{ type: "output_text", text }];
  return { type: "message", role, status: "completed", content };
}

function textOf({ type, arguments: input, content, output }: Item): string {
  if (type === "function_call") return input ?? "";
  const value = type === "function_call_result" ? output : content;
  if (typeof value === "string") return value;
  const parts = (Array.isArray(value) ? value : [value]) as ({ text?: unknown } | undefined)[];
  return parts.map((part) => part?.text).filter((text) => typeof text === "string").join("\n\n");
}

function inputOf(text: string): { input: unknown; input_text?: string } {
  try {
    const input: unknown = JSON.parse(text);
    return JSON.stringify(input) === text ? { input } : { input, input_text: text };
  } catch {
    return { input: {}, input_text: text };
  }
}

function partText(part: Part): string {
  if (part.type === "tool_call") return part.input_text ?? JSON.stringify(part.input);
  if (part.type === "text" || part.type === "reasoning") return part.text;
  if (part.type !== "tool_result") return `[${part.type} ${part.path ?? part.media_type}]`;
  if (typeof part.output === "string") return part.output;
  return part.output.map((one) => one.type === "text" ? one.text : JSON.stringify(one)).join(
    "\n\n",
  );
}

/** A copy in which a text is left out wherever it stands. */
function hollowed(value: unknown, text: string): unknown {
  if (value === text && text !== "") return HOLE;
  if (typeof value !== "object" || value === null) return value;
  if (ArrayBuffer.isView(value)) {
    throw new SessionError(
      "invalid-event",
      "Cannot keep item: it holds bytes; give them as base64",
    );
  }
  if (Array.isArray(value)) return value.map((member) => hollowed(member, text));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, hollowed(member, text)]));
}

function filled(value: unknown, text: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => filled(member, text));
  const members = Object.entries(value);
  if (members.length === 1 && (value as typeof HOLE).$reprise === HOLE.$reprise) return text;
  return Object.fromEntries(members.map(([name, member]) => [name, filled(member, text)]));
}
