/**
 * A call with its result, in a form that every provider takes. The id is unique, and the tool's
 * name has only plain characters.
 */
import { isObject } from "../../../core/event/guard.ts";
import type {
  CallStatus,
  JsonPart,
  Output,
  OutputPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from "../../../core/event/message.ts";
import { attachmentText, type InlineFile, inlineFile } from "./attachment.ts";
import { isBlank } from "./blank_text.ts";

export interface SettledCall {
  /** The id of the call, unique in the conversation. */
  id: string;
  /** The tool's name: at most 64 letters, digits, `_` and `-`. */
  name: string;
  /** The input of the call. A value that is not an object is put in a member `input`. */
  input: Record<string, unknown>;
  /** The input as the model wrote it, in JSON; absent if it is unknown or not an object. */
  input_text?: string;
  failed: boolean;
  /** The output, which is never empty. No text in the output is blank. */
  output: OutputItem[];
}

/** The smallest maximum length of a tool's name among all providers. */
const NAME_LENGTH = 64;

/** Returns a call with its result. `uniqueId` is `unique` of {@linkcode CallIds}. */
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

/** One piece of output. An attachment that cannot be sent is a text instead. */
export type OutputItem = TextPart | JsonPart | InlineFile;

/** Texts for empty results, because providers reject empty errors. */
const SILENT_OUTPUT: Readonly<Record<CallStatus, string>> = {
  ok: "(no output)",
  error: "(the call failed without a message)",
  interrupted: "(the call was interrupted)",
  skipped: "(the call was skipped)",
};

/** Returns the output of a call. A blank output becomes words for the status of the call. */
export function spokenOutput(output: Output, status: CallStatus): Output {
  const is_blank = typeof output === "string"
    ? isBlank(output)
    : output.every((part) => part.type === "text" && isBlank(part.text));
  return is_blank ? SILENT_OUTPUT[status] : output;
}

/** Returns the pieces of an output in order: never empty, and no text is blank. */
function outputItems(output: Output, status: CallStatus): OutputItem[] {
  const spoken = spokenOutput(output, status);
  const parts: OutputPart[] = typeof spoken === "string"
    ? [{ type: "text", text: spoken }]
    : spoken;
  return parts.flatMap(outputItem);
}

function outputItem(part: OutputPart): OutputItem[] {
  if (part.type === "json") return [{ type: "json", value: part.value }];
  if (part.type === "text") return isBlank(part.text) ? [] : [{ type: "text", text: part.text }];
  return [inlineFile(part) ?? { type: "text", text: attachmentText(part) }];
}

export function isFile(item: OutputItem): item is InlineFile {
  return item.type === "image" || item.type === "pdf";
}

/** Returns a text unchanged, and a value as JSON. */
export function itemText(item: TextPart | JsonPart): string {
  return item.type === "text" ? item.text : JSON.stringify(item.value);
}

/**
 * The text of a result with only files, and the text before the files, as pi and OpenCode write
 * them.
 */
// Verbatim: pi and OpenCode.
export const SEE_ATTACHED = "(see attached image)";
export const ATTACHED = "Attached image(s) from tool result:";

/**
 * Returns an output without its files as one text, for providers that accept no files in results.
 * The files follow in a message.
 */
export function outputText(items: readonly OutputItem[]): string {
  const texts = items.flatMap((item) => isFile(item) ? [] : [itemText(item)]);
  return texts.length === 0 ? SEE_ATTACHED : texts.join("\n");
}

/** Returns the files of some calls as the content of the user message after the results. */
export function followingFiles(
  calls: readonly { output: readonly OutputItem[] }[],
): (TextPart | InlineFile)[] {
  const files = calls.flatMap(({ output }) => output.filter(isFile));
  return files.length === 0 ? [] : [{ type: "text", text: ATTACHED }, ...files];
}

/** Maximum length of a call's id. OpenAI's limit is the smallest limit of all providers. */
const ID_LENGTH = 40;

/**
 * Assigns unique call ids that all providers take. A valid id stays the same for its first call.
 * Later ids never change earlier ids, so that a prompt cache stays valid.
 */
export function callIds(before?: ReadonlyMap<string, number>): CallIds {
  /** The assigned ids, each with the number that its next duplicate gets. */
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

export interface CallIds {
  /** Returns an id that no earlier call has. */
  unique(id: string): string;
  copy(): CallIds;
}

function numbered(base: string, number: number): string {
  const suffix = `_${number}`;
  return base.slice(0, ID_LENGTH - suffix.length) + suffix;
}

/** Returns a name with only characters that all providers take. */
function plainName(name: string, length: number): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, length);
}
