/** Converts the output of a call to a provider's shape. */
import type { CallStatus, JsonPart, Output, OutputPart, TextPart } from "../../event/message.ts";
import { attachmentText, type InlineFile, inlineFile } from "./attachment.ts";
import { isBlank } from "./blank_text.ts";

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
export function outputItems(output: Output, status: CallStatus): OutputItem[] {
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
