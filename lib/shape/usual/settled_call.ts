/**
 * A call together with its result, in words that every provider takes.
 */
import { isObject } from "../../event/guard.ts";
import type { ToolCallPart, ToolResultPart } from "../../event/message.ts";
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

/** OpenAI refuses longer ids of calls; the other providers' limits are greater. */
const ID_LENGTH = 40;
/** The smallest limit for the names of tools. */
const NAME_LENGTH = 64;

/** Joins a call with its result; `uniqueId` comes from {@linkcode callIds}. */
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

/**
 * Gives out ids of calls that providers take, no one twice. An id that they take stays as it is the
 * first time; ids that come later do not change those before, so that a prompt cache stays valid.
 */
export function callIds(before?: ReadonlyMap<string, number>): CallIds {
  /** Given ids, each with the number to try next when it is asked for again. */
  const given = new Map(before);
  const unique = (id: string): string => {
    const base = plainName(id, ID_LENGTH) || "call";
    let free = base;
    let number = given.get(base) ?? 2;
    while (given.has(free)) free = numbered(base, number++);
    given.set(base, number);
    if (free !== base) given.set(free, 2);
    return free;
  };
  return { unique, copy: () => callIds(given) };
}

/** Gives out ids of calls. */
export interface CallIds {
  /** Returns an id that no call before has. */
  unique(id: string): string;
  /** Makes one that goes on from here by itself. */
  copy(): CallIds;
}

function numbered(base: string, number: number): string {
  const suffix = `_${number}`;
  return base.slice(0, ID_LENGTH - suffix.length) + suffix;
}

function plainName(name: string, length: number): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, length);
}

function inputObject(
  { input, input_text }: ToolCallPart,
): Pick<SettledCall, "input" | "input_text"> {
  if (!isObject(input)) return { input: input === undefined ? {} : { input } };
  return input_text === undefined ? { input } : { input, input_text };
}
