/** Converts the content of Kimi Code's messages and results to parts. */
import { textFor } from "../../core/event/audience.ts";
import { attachmentFromUrl } from "../../core/event/attachment.ts";
import type { AttachmentPart, Output, ReasoningPart, TextPart } from "../../core/event/message.ts";
import { asList, asName, asObject, asText, type Json } from "../engine/json.ts";

/** Converts a `ContentPart` (kosong/contract/message.ts). A media URL may name a stored file. */
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
const FAILED_EMPTY = "<system>ERROR: Tool execution failed. Tool output is empty.</system>";
const EMPTY = "<system>Tool output is empty.</system>";

/**
 * Returns a result with the lines that the model gets around it
 * (contextMemory/toolResultRender.ts). The note at its end is also shown to the user.
 */
export function outputOf({ output, isError, note }: Json): Output {
  const parts = (typeof output === "string" ? [{ type: "text", text: output }] : asList(output))
    .flatMap(toPart).filter((part) => part.type !== "reasoning");
  const texts = parts.flatMap((part) => part.type === "text" ? part.text : []);
  const noted = asName(note) === undefined ? [] : [{ type: "text" as const, text: `\n${note}` }];
  const failed = isError === true;
  if (texts.length < parts.length) {
    const before: TextPart[] = failed ? [{ type: "text", text: FAILED, audience: "model" }] : [];
    return [...before, ...parts, ...noted];
  }
  const is_empty = texts.join("").trim() === "";
  const before = is_empty ? (failed ? FAILED_EMPTY : EMPTY) : failed ? `${FAILED}\n` : "";
  const shown = (is_empty ? "" : texts.join("")) + noted.map(({ text }) => text).join("");
  return textFor(shown, before + shown);
}
