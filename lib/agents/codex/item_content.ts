/**
 * The content of Codex's items (codex-rs/protocol/src/models.rs: ContentItem,
 * FunctionCallOutputContentItem) as ours.
 */
import type { AttachmentPart, Content, Part } from "../../event/message.ts";
import type { UserMessagePayload } from "../../event/payload.ts";
import { attachmentFromUrl } from "../attachment.ts";
import { asList, asObject, asText } from "../json_value.ts";

function toPart(value: unknown): Part | undefined {
  const { type, text, image_url, audio_url } = asObject(value);
  if (typeof text === "string") return { type: "text", text };
  if (type === "input_image" && typeof image_url === "string") return attachmentFromUrl(image_url);
  if (type === "input_audio" && typeof audio_url === "string") return attachmentFromUrl(audio_url);
  return undefined;
}

/** The parts of a content; what has no place among them is left out. */
export function toParts(content: unknown): Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return asList(content).flatMap((item) => toPart(item) ?? []);
}

/** Whether all of a content has a place among our parts. */
export function isWholeContent(content: unknown): boolean {
  return typeof content === "string" || asList(content).every((item) => toPart(item) !== undefined);
}

/** A message's content: a text where it is nothing else. */
export function toContent(parts: Part[]): Content {
  const [only] = parts;
  if (only === undefined) return "";
  return parts.length === 1 && only.type === "text" ? only.text : parts;
}

/** The content of a message in the user's place: what the model gets, and what people see of it. */
export function saidAndShown(said: Part[], shown: Part[]): UserMessagePayload {
  const told = toContent(said);
  const same = shown.length === said.length && shown.every((part, index) => part === said[index]);
  return same ? { content: told } : { content: toContent(shown), told };
}

/** The texts of a content, as Codex joins them (`content_items_to_text`, compact.rs). */
export function contentTexts(content: unknown): string {
  if (typeof content === "string") return content;
  return asList(content).flatMap((item) => asText(asObject(item).text) || []).join("\n");
}

/** What a call gave: a text, and what was attached to it. */
export interface OutputContent {
  text: string;
  attachments: AttachmentPart[];
}

/** Reads the output of a call: a text or content items; very old ones wrap the text. */
export function toOutput(output: unknown): OutputContent {
  const wrapped = asObject(output).content;
  if (typeof wrapped === "string") return { text: wrapped, attachments: [] };
  const attachments: AttachmentPart[] = [];
  for (const part of Array.isArray(output) ? toParts(output) : []) {
    if (part.type === "image" || part.type === "file") attachments.push(part);
  }
  if (typeof output === "string" || Array.isArray(output)) {
    return { text: contentTexts(output), attachments };
  }
  return { text: output === undefined ? "" : JSON.stringify(output), attachments };
}
