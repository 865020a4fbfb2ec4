/** Contents of Kimi Code's messages and results as our parts. */
import { textFor } from "../../event/audience.ts";
import { attachmentFromUrl } from "../../event/inline_attachment.ts";
import type { AttachmentPart, Output, ReasoningPart, TextPart } from "../../event/message.ts";
import { asList, asName, asObject, asText, type Json } from "../../reading/json_value.ts";

/** Returns a `ContentPart` (kosong/contract/message.ts) as ours; media may lie in another file. */
export function toPart(value: unknown): (TextPart | ReasoningPart | AttachmentPart)[] {
  const { type, text, think, imageUrl, videoUrl, audioUrl, ...provider_data } = asObject(value);
  if (type === "think") {
    return [{ type: "reasoning", text: asText(think) ?? asText(text) ?? "", provider_data }];
  }
  if (typeof text === "string") return [{ type: "text", text }];
  const { url } = asObject(imageUrl ?? videoUrl ?? audioUrl);
  return typeof url === "string" ? [attachmentFromUrl(url)] : [];
}

const FAILED = "<system>ERROR: Tool execution failed.</system>";
const EMPTY = "<system>Tool output is empty.</system>";

/** Returns a result with what the model gets around it (contextMemory/toolResultRender.ts). */
export function outputOf({ output, isError, note }: Json): Output {
  const parts = (typeof output === "string" ? [{ type: "text", text: output }] : asList(output))
    .flatMap(toPart).filter((part) => part.type !== "reasoning");
  const shown = parts.map((part) => part.type === "text" ? part.text : "").join("");
  const empty = shown.trim() === "" && parts.every((part) => part.type === "text");
  const failed = isError === true;
  const before = !failed ? "" : empty ? FAILED.replace(/<.system>/, " Tool output is empty.$&") : (
    `${FAILED}\n`
  );
  const after = asName(note) === undefined ? "" : `\n${note}`;
  const body = empty ? (failed ? "" : EMPTY) : shown;
  if (parts.every((part) => part.type === "text")) return textFor(shown, before + body + after);
  const aside = (text: string): TextPart[] =>
    text === "" ? [] : [{ type: "text", text: text.trim(), audience: "model" }];
  return [...aside(before), ...parts, ...aside(after)];
}
