/**
 * A call together with its result, in words that every provider takes.
 */
import { isObject } from "../../event/guard.ts";
import type {
  CallStatus,
  JsonPart,
  Output,
  OutputPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from "../../event/message.ts";
import { attachmentText, type InlineFile, inlineFile } from "./attachment.ts";
import { isBlank } from "./blank_text.ts";

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

/** One piece that can be sent; an attachment that cannot is a text that says so. */
export type OutputItem = TextPart | JsonPart | InlineFile;

/** Said where a result has no text: an empty one is refused when it is an error. */
const SILENT_OUTPUT: Readonly<Record<CallStatus, string>> = {
  ok: "(no output)",
  error: "(the call failed without a message)",
  interrupted: "(the call was interrupted)",
  skipped: "(the call was skipped)",
};

/** Returns the pieces in their order: never empty, and no text is blank. */
function outputItems(output: Output, status: CallStatus): OutputItem[] {
  const parts: OutputPart[] = typeof output === "string"
    ? [{ type: "text", text: output }]
    : output;
  const items = parts.flatMap(outputItem);
  return items.length > 0 ? items : [{ type: "text", text: SILENT_OUTPUT[status] }];
}

function outputItem(part: OutputPart): OutputItem[] {
  if (part.type === "json") return [{ type: "json", value: part.value }];
  if (part.type === "text") return isBlank(part.text) ? [] : [{ type: "text", text: part.text }];
  return [inlineFile(part) ?? { type: "text", text: attachmentText(part) }];
}

/** True for what is no text. */
export function isFile(item: OutputItem): item is InlineFile {
  return item.type === "image" || item.type === "pdf";
}

/** Returns a text or a value as text. */
export function itemText(item: TextPart | JsonPart): string {
  return item.type === "text" ? item.text : JSON.stringify(item.value);
}

/** Stands in a result that is nothing but files, and before the files, as pi and OpenCode say it. */
const SEE_ATTACHED = "(see attached image)";
const ATTACHED = "Attached image(s) from tool result:";

/** Returns all as one text, for a provider that takes no files there: the files follow. */
export function outputText(items: readonly OutputItem[]): string {
  const texts = items.flatMap((item) => isFile(item) ? [] : [itemText(item)]);
  return texts.length === 0 ? SEE_ATTACHED : texts.join("\n");
}

/** Returns the files of some calls, as the user says them right after the results. */
export function followingFiles(
  calls: readonly { output: readonly OutputItem[] }[],
): (TextPart | InlineFile)[] {
  const files = calls.flatMap(({ output }) => output.filter(isFile));
  return files.length === 0 ? [] : [{ type: "text", text: ATTACHED }, ...files];
}

/** OpenAI refuses longer ids of calls; the other providers' limits are greater. */
const ID_LENGTH = 40;

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

/** Returns a name of the characters that all providers take. */
function plainName(name: string, length: number): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, length);
}
