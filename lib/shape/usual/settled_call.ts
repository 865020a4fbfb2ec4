/**
 * A call together with its result, in words that every provider takes.
 */
import { isObject } from "../../event/guard.ts";
import type { ToolCallPart, ToolResultPart } from "../../event/message.ts";
import { plainName } from "../call_ids.ts";
import { type OutputItem, outputItems } from "./call_output.ts";

/** A call and what it gave. */
export interface SettledCall {
  /** Unique in its conversation. */
  id: string;
  /** Of letters, digits, `_` and `-`, at most 64. */
  name: string;
  /** What was not an object stands in its `input`. */
  input: Record<string, unknown>;
  /** The JSON text of an input that is an object, where the call has it. */
  input_text?: string;
  /** Did not end well. */
  failed: boolean;
  /** Never empty, no text blank. */
  output: OutputItem[];
}

/** The smallest limit for the names of tools. */
const NAME_LENGTH = 64;

/** Joins a call with its result; `uniqueId` comes from `callIds`. */
export function settledCall(
  call: ToolCallPart,
  result: ToolResultPart,
  uniqueId: (id: string) => string,
): SettledCall {
  return {
    id: uniqueId(call.call_id),
    name: plainName(call.name, NAME_LENGTH) || "tool",
    ...inputObject(call),
    failed: result.status !== "ok",
    output: outputItems(result.output, result.status),
  };
}

function inputObject(
  { input, input_text }: ToolCallPart,
): Pick<SettledCall, "input" | "input_text"> {
  if (!isObject(input)) return { input: input === undefined ? {} : { input } };
  return input_text === undefined ? { input } : { input, input_text };
}
