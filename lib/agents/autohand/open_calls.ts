/**
 * The calls of Autohand that wait for their results, and which of them a result settles.
 *
 * autohandai/code-cli 0.8.2, src/session/types.ts `SessionMessage`.
 */
import { type CallInput, parseCallInput } from "../../event/call_input.ts";
import type { CallStatus } from "../../event/message.ts";
import { handedStatus } from "../../reading/handed/handed_status.ts";
import { asList, asName, asObject, asText } from "../../reading/json_value.ts";
import type { DraftCall } from "../../reading/events/response_draft.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";

/** A call without its result so far. */
export interface OpenCall {
  call_id: string;
  name: string;
  /** What was streamed of its output. */
  chunks: string[];
  /** How it ended in the session that was handed over to Autohand, which keeps no outcome. */
  told: CallStatus | undefined;
}

type Fields = SourceRecord["value"];

/**
 * Opens the calls of an answer: `{id?, tool, args?}`. Imports may have
 * `{id?, function: {name, arguments}}` (session restore).
 */
export function openCalls(open: OpenCall[], { value, position }: SourceRecord): DraftCall[] {
  return asList(value.toolCalls).map(asObject).map((call, index) => {
    const { name: imported, arguments: text } = asObject(call.function);
    const call_id = asName(call.id) ?? `line-${position.offset}-${index + 1}`;
    const name = asName(call.tool) ?? asName(imported) ?? "unknown";
    open.push({ call_id, name, chunks: [], told: handedStatus(value, call_id) });
    return { call_id, name, ...inputOf(call.args ?? text) };
  });
}

/** Arguments are an object, or its JSON. */
function inputOf(args: unknown): CallInput {
  if (typeof args !== "string") return { input: args ?? {} };
  try {
    return parseCallInput(args);
  } catch {
    // SyntaxError: the model wrote no JSON; its text is all there is.
    return { input: args };
  }
}

/** Keeps a piece of a streamed output, in case its result never comes. */
export function keepChunk(open: readonly OpenCall[], value: Fields): void {
  const text = asText(value.content);
  if (text !== undefined) open[callOf(open, value)]?.chunks.push(text);
}

/** Takes the call that a result settles; returns what is known of it. */
export function settleCall(
  open: OpenCall[],
  value: Fields,
): { call_id: string; name: string; status: CallStatus } {
  const at = callOf(open, value);
  const [call] = at < 0 ? [] : open.splice(at, 1);
  return {
    call_id: call?.call_id ?? asName(value.tool_call_id) ?? "unknown",
    name: asName(value.name) ?? call?.name ?? "unknown",
    status: call?.told ?? "ok",
  };
}

/** A result without an id belongs to the first call that waits, of its name if it has one. */
function callOf(open: readonly OpenCall[], value: Fields): number {
  const call_id = asName(value.tool_call_id);
  const name = asName(value.name);
  if (call_id !== undefined) return open.findLastIndex((call) => call.call_id === call_id);
  return open.findIndex((call) => name === undefined || call.name === name);
}
