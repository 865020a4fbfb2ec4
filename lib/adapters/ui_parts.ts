/**
 * Messages of the AI SDK's user interface as parts, and back.
 *
 * @module
 */
import {
  type JsonPart,
  type Message,
  outputText,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
} from "../../mod.ts";
import { keptOf, type Row } from "./rows.ts";

/** A message as a chat's user interface has it, as far as it is looked at. */
export interface UiMessage {
  /** Names the message. */
  id: string;
  /** The speaker. */
  role: "system" | "user" | "assistant";
  /** Texts, reasoning, calls with their results, files, and whatever else the SDK knows. */
  // deno-lint-ignore no-explicit-any
  parts: any[];
}

/** A part of a message, as far as it is looked at. */
interface UiPart {
  type: string;
  text?: unknown;
  toolCallId?: string;
  toolName?: string;
  state?: string;
  input?: unknown;
  output?: unknown;
  errorText?: string;
}

/** What `provider_data` of a part holds: the rest of the part, and of its message. */
interface Kept {
  item?: object;
  message?: Omit<UiMessage, "parts">;
  /** The part is kept as it is, though it is a call. */
  verbatim?: boolean;
}

/** Name of the messages in `provider_data`. */
export const SHAPE = "ai-sdk-ui";

/** Returns messages as parts. The first of each keeps what the message is beside its parts. */
export function rowsOf(messages: readonly UiMessage[], last: number): Row[] {
  let number = last;
  return messages.flatMap(({ parts, ...message }) => {
    const rows: Row[] = [];
    /** They stand behind all calls of their response. */
    const results: Row[] = [];
    /** A response makes each of its calls once: another one of the same id is kept as it is. */
    const calls = new Set<unknown>();
    for (const [index, part] of (parts.length === 0 ? [undefined] : parts).entries()) {
      const row = rowOf(message.role, part, ++number, {
        ...(index === 0 ? { message } : {}),
        verbatim: calls.has(part?.toolCallId),
      });
      if (row.part.type === "tool_call") calls.add(row.part.call_id);
      else rows.push(...results.splice(0));
      rows.push({ ...row, joins: index > 0 });
      if (row.part.type === "tool_call") results.push(...resultOf(row.part, part, number));
    }
    return [...rows, ...results];
  });
}

function rowOf(
  role: Message["role"],
  part: UiPart | undefined,
  number: number,
  head: Kept,
): Row {
  const row = (made: object, item: object | undefined): Row => {
    const { verbatim: _verbatim, ...message } = head;
    const provider_data = { [SHAPE]: { number, item, ...message } };
    return { role, part: { ...made, provider_data } as Part, number };
  };
  if (part === undefined) return row({ type: "text", text: "" }, undefined);
  const { type, text, toolCallId, toolName = type.slice(5), state } = part;
  if (
    typeof text === "string" && (type === "text" || (type === "reasoning" && role === "assistant"))
  ) {
    const { text: _text, ...item } = part;
    return row({ type, text }, item);
  }
  const { input, output: _output, ...item } = part;
  const isCall = role === "assistant" && toolCallId && state !== "input-streaming";
  if (!isCall || input === undefined || head.verbatim) return row({ type: "text", text: "" }, part);
  return row({ type: "tool_call", call_id: toolCallId, name: toolName, input }, item);
}

/** The result of a call, if it has one. */
function resultOf(
  { call_id, name }: ToolCallPart,
  part: UiPart | undefined,
  number: number,
): Row[] {
  const { state, output, errorText = "" } = part ?? {};
  const failed = state === "output-error";
  if (!failed && state !== "output-available") return [];
  const result = failed
    ? { status: "error" as const, output: errorText }
    : { status: "ok" as const, output: typeof output === "string" ? output : valuesOf(output) };
  const provider_data = { [SHAPE]: { number } };
  const made = { type: "tool_result" as const, call_id, name, ...result, provider_data };
  return [{ role: "tool", part: made, number }];
}

function valuesOf(value: unknown): JsonPart[] {
  return value === undefined ? [] : [{ type: "json", value }];
}

/** Returns the messages that parts stand for. */
export function messagesIn(rows: readonly Row[]): UiMessage[] {
  const messages: UiMessage[] = [];
  let own = true;
  for (const { role, part, seq } of rows) {
    const kept = keptOf(part, SHAPE) as Kept | undefined;
    if (part.type === "tool_result") {
      settle(messages, part, kept !== undefined);
      continue;
    }
    if (kept?.message !== undefined) messages.push({ ...kept.message, parts: [] });
    else if (kept === undefined && (own || role === "user" || messages.at(-1)?.role !== role)) {
      messages.push({ id: `event-${seq}`, role: role as UiMessage["role"], parts: [] });
    }
    own = kept !== undefined;
    messages.at(-1)?.parts.push(...partsOf(part, kept));
  }
  return messages;
}

function partsOf(part: Part, kept: Kept | undefined): object[] {
  if (kept !== undefined && kept.item === undefined) return [];
  if (part.type === "tool_call") {
    const { call_id: toolCallId, name: toolName, input } = part;
    const made = { type: "dynamic-tool", toolName, toolCallId, state: "input-available" };
    return [{ ...kept?.item ?? made, input }];
  }
  if (part.type !== "text" && part.type !== "reasoning") return [];
  const { type, text } = part;
  if (kept === undefined) return [{ type, text }];
  const typed = (kept.item as UiPart).type === type && !("text" in (kept.item ?? {}));
  return [typed ? { ...kept.item, text } : kept.item ?? {}];
}

/** Puts a result into the last call that it can belong to. */
function settle(messages: UiMessage[], result: ToolResultPart, own: boolean): void {
  const { call_id, status, output } = result;
  const parts: UiPart[] = messages.at(-1)?.parts ?? [];
  const call = parts.findLast(({ toolCallId }) => toolCallId === call_id);
  if (call === undefined || (own && call.state === "output-error")) return;
  const failed = { state: "output-error", errorText: outputText(output) };
  if (status !== "ok") return void Object.assign(call, failed);
  if (typeof output === "string") Object.assign(call, { state: "output-available", output });
  const [value] = output;
  if (typeof value !== "object") return;
  Object.assign(call, {
    state: "output-available",
    output: value.type === "json" && output.length === 1 ? value.value : output,
  });
}
