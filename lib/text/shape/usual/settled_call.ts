/** A tool call with its result, in a form that every provider accepts. */
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
  /** The call's input, or `{}`. A value that is not an object is put in a member `input`. */
  input: Record<string, unknown>;
  /** The input as the model wrote it, in JSON. Absent if it is unknown or not an object. */
  input_text?: string;
  failed: boolean;
  /** The output, with at least one item. No text in the output is blank. */
  output: OutputItem[];
}

/** Maximum length of a tool's name. It is the smallest limit of all providers. */
const NAME_LENGTH = 64;

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

/** An item of a call's output. An attachment that cannot be sent becomes a text. */
export type OutputItem = TextPart | JsonPart | InlineFile;

/** Texts that replace blank output. Providers reject an error without output. */
const SILENT_OUTPUT: Readonly<Record<CallStatus, string>> = {
  ok: "(no output)",
  error: "(the call failed without a message)",
  interrupted: "(the call was interrupted)",
  skipped: "(the call was skipped)",
};

/** Returns a call's output. Blank output is replaced by a text for the call's status. */
export function spokenOutput(output: Output, status: CallStatus): Output {
  const is_blank = typeof output === "string"
    ? isBlank(output)
    : output.every((part) => part.type === "text" && isBlank(part.text));
  return is_blank ? SILENT_OUTPUT[status] : output;
}

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

export function itemText(item: TextPart | JsonPart): string {
  return item.type === "text" ? item.text : JSON.stringify(item.value);
}

/**
 * Text of a result whose output has only files. The files follow in a user message that begins with
 * {@linkcode ATTACHED}.
 */
// Verbatim: pi and OpenCode.
export const SEE_ATTACHED = "(see attached image)";
export const ATTACHED = "Attached image(s) from tool result:";

/**
 * Returns an output's texts and JSON as one text, for providers that accept no files in results.
 * {@linkcode followingFiles} returns the files.
 */
export function outputText(items: readonly OutputItem[]): string {
  const texts = items.flatMap((item) => isFile(item) ? [] : [itemText(item)]);
  return texts.length === 0 ? SEE_ATTACHED : texts.join("\n");
}

/** Returns the calls' files as content for the user message after the results. */
export function followingFiles(
  calls: readonly { output: readonly OutputItem[] }[],
): (TextPart | InlineFile)[] {
  const files = calls.flatMap(({ output }) => output.filter(isFile));
  return files.length === 0 ? [] : [{ type: "text", text: ATTACHED }, ...files];
}

/** Maximum length of a call's id. OpenAI's limit is the smallest limit of all providers. */
const ID_LENGTH = 40;

/**
 * Creates a source of unique call ids that all providers accept. The first call with a valid id
 * keeps it. Later calls never change given ids, so that a prompt cache stays valid.
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
  unique(id: string): string;
  copy(): CallIds;
}

function numbered(base: string, number: number): string {
  const suffix = `_${number}`;
  return base.slice(0, ID_LENGTH - suffix.length) + suffix;
}

/** Replaces each character that some provider rejects. */
function plainName(name: string, length: number): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, length);
}
