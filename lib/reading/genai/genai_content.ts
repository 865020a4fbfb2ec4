/**
 * Contents of Google's GenAI SDK, as Gemini CLI and Qwen Code store them. A content is a text, a
 * part, or a list of both (`PartListUnion`). A part is `{text, thought?, thoughtSignature?}`,
 * `{inlineData: {mimeType, data}}`, `{fileData: {mimeType, fileUri}}`,
 * `{functionCall: {id?, name, args}}`, `{functionResponse: {id?, name, response}}`, or one of some
 * rarer ones.
 */
import { textFor, toContent } from "../../event/audience.ts";
import type { AttachmentPart, Content, Part } from "../../event/message.ts";
import { attachmentFromBase64, attachmentFromReference } from "../../event/inline_attachment.ts";
import { asName, asObject, asText } from "../json_value.ts";

/** A part of a content. */
export type GenAiPart = Readonly<Record<string, unknown>>;

/** The parts of a content, a text as a part like the others. */
export function genAiParts(content: unknown): GenAiPart[] {
  const items = Array.isArray(content) ? content : content === undefined ? [] : [content];
  return items.flatMap((item) => {
    if (typeof item === "string") return [{ text: item }];
    return typeof item === "object" && item !== null ? [item as GenAiPart] : [];
  });
}

/** The texts of a content that are no thoughts, as one. */
export function genAiText(content: unknown): string {
  return genAiParts(content).map((part) => isThought(part) ? "" : asText(part.text) ?? "").join("");
}

/** True if a part is what the model thought. */
export function isThought({ thought }: GenAiPart): boolean {
  return thought === true;
}

/** The attachment that a part is. */
export function genAiAttachment({ inlineData, fileData }: GenAiPart): AttachmentPart | undefined {
  const { data, mimeType } = asObject(inlineData);
  if (typeof data === "string") return attachmentFromBase64(data, asName(mimeType) ?? BINARY);
  const { fileUri, mimeType: type } = asObject(fileData);
  if (typeof fileUri !== "string") return undefined;
  return attachmentFromReference(fileUri, asName(type) ?? BINARY);
}

const BINARY = "application/octet-stream";

/** A part that says or shows something, as ours; undefined when it is a call, a result, or else. */
export function toOurPart(part: GenAiPart): Part | undefined {
  if (typeof part.text === "string") return { type: "text", text: part.text };
  return genAiAttachment(part);
}

/** True if our events have a place for a part. */
export function hasPlace(part: GenAiPart): boolean {
  return toOurPart(part) !== undefined || "functionCall" in part || "functionResponse" in part;
}

/** Parts as a content: texts side by side are one, and a text where there is nothing else. */
export function ourContent(parts: readonly Part[]): Content {
  const joined: Part[] = [];
  for (const part of parts) addJoined(joined, part);
  return toContent(joined);
}

/** Adds a part; a text behind a text goes on with it. */
export function addJoined(parts: Part[], part: Part): void {
  const last = parts[parts.length - 1];
  if (part.type === "text" && last?.type === "text") last.text += part.text;
  else parts.push({ ...part });
}

/**
 * Parts as a content of which the user saw another text; undefined where texts stand behind other
 * parts, whose order must stay.
 */
export function shownContent(shown: string, parts: readonly Part[]): Content | undefined {
  const others = parts.findIndex(({ type }) => type !== "text");
  const texts = others < 0 ? parts : parts.slice(0, others);
  const rest = parts.slice(texts.length);
  if (rest.some(({ type }) => type === "text")) return undefined;
  const sent = texts.map((part) => part.type === "text" ? part.text : "").join("");
  const said = textFor(shown, sent);
  if (rest.length === 0) return said;
  return [...typeof said === "string" ? [{ type: "text" as const, text: said }] : said, ...rest];
}
