/**
 * Contents of Google's GenAI SDK, as Gemini CLI and Qwen Code store them. A content is a text, a
 * part, or a list of both (`PartListUnion`). A part is `{text, thought?, thoughtSignature?}`,
 * `{inlineData: {mimeType, data}}`, `{fileData: {mimeType, fileUri}}`,
 * `{functionCall: {id?, name, args}}`, `{functionResponse: {id?, name, response}}`, or has a rarer
 * form.
 *
 * Contents of referenced files may follow a prompt, between two lines (`atCommandProcessor.ts`).
 * Both agents show only the prompt.
 */
import { asName, asObject, asText, type Json } from "../json.ts";
import { textFor, toContent } from "../../../core/event/audience.ts";
import { attachmentFromBase64, attachmentFromReference } from "../../../core/event/attachment.ts";
import type { AttachmentPart, Content, Part, TextPart } from "../../../core/event/message.ts";
import { toParts } from "../../../core/projection/said_parts.ts";

export type GenAiPart = Json;

export function genAiParts(content: unknown): GenAiPart[] {
  const items = Array.isArray(content) ? content : content === undefined ? [] : [content];
  return items.flatMap((item) => {
    if (typeof item === "string") return [{ text: item }];
    return typeof item === "object" && item !== null ? [item as GenAiPart] : [];
  });
}

export function genAiText(content: unknown): string {
  return genAiParts(content).map((part) => isThought(part) ? "" : asText(part.text) ?? "").join("");
}

export function isThought({ thought }: GenAiPart): boolean {
  return thought === true;
}

export function genAiAttachment({ inlineData, fileData }: GenAiPart): AttachmentPart | undefined {
  const { data, mimeType } = asObject(inlineData);
  if (typeof data === "string") return attachmentFromBase64(data, asName(mimeType) ?? BINARY);
  const { fileUri, mimeType: type } = asObject(fileData);
  if (typeof fileUri !== "string") return undefined;
  return attachmentFromReference(fileUri, asName(type) ?? BINARY);
}

const BINARY = "application/octet-stream";

export function toOurPart(part: GenAiPart): Part | undefined {
  if (typeof part.text === "string") return { type: "text", text: part.text };
  return genAiAttachment(part);
}

/** True if an event can represent the part. */
export function hasPlace(part: GenAiPart): boolean {
  return toOurPart(part) !== undefined || "functionCall" in part || "functionResponse" in part;
}

function ourContent(parts: readonly Part[]): Content {
  const joined: Part[] = [];
  for (const part of parts) addJoined(joined, part);
  return toContent(joined);
}

export function addJoined(parts: Part[], part: Part): void {
  const last = parts[parts.length - 1];
  if (part.type === "text" && last?.type === "text") last.text += part.text;
  else parts.push({ ...part });
}

/**
 * Returns a content whose texts go to the model, while the user sees `shown`. Undefined if a text
 * follows an attachment, because joining the texts would change the order.
 */
function shownContent(shown: string, parts: readonly Part[]): Content | undefined {
  const others = parts.findIndex(({ type }) => type !== "text");
  const texts = others < 0 ? parts : parts.slice(0, others);
  const rest = parts.slice(texts.length);
  if (rest.some(({ type }) => type === "text")) return undefined;
  const sent = texts.map((part) => part.type === "text" ? part.text : "").join("");
  const said = textFor(shown, sent);
  if (rest.length === 0) return said;
  return [...typeof said === "string" ? [{ type: "text" as const, text: said }] : said, ...rest];
}

const START = "\n--- Content from referenced files ---";
/** Lines around referenced files in a prompt: the start, each file's heading, and the end. */
const FRAMES =
  /(\n--- Content from referenced files ---|\nContent from @[^\n]*:\n|\n--- End of content ---)/;
const HEADING = /^\nContent from @([^\n]*):\n$/;

/**
 * Returns a prompt's content. User and model get the prompt. Only the model gets the referenced
 * files.
 *
 * @param shown The text that the user saw instead of the prompt. Absent if both are the same.
 * @returns The content, and whether it includes `shown`.
 */
export function promptContent(
  parts: readonly Part[],
  shown: string | undefined,
): { content: Content; is_shown: boolean } {
  const { own, attached } = splitReferences(parts);
  const seen = shown === undefined ? undefined : shownContent(shown, own);
  const content = seen ?? ourContent(own);
  const is_shown = seen !== undefined;
  if (attached.length === 0) return { content, is_shown };
  return { content: toContent([...toParts(content), ...attached]), is_shown };
}

function splitReferences(parts: readonly Part[]): { own: Part[]; attached: Part[] } {
  const at = parts.findIndex((part) => part.type === "text" && part.text.includes(START));
  const first = parts[at];
  if (first?.type !== "text") return { own: [...parts], attached: [] };
  const start = first.text.indexOf(START);
  const prompt: Part[] = start === 0 ? [] : [{ ...first, text: first.text.slice(0, start) }];
  const rest = [{ ...first, text: first.text.slice(start) }, ...parts.slice(at + 1)];
  return { own: [...parts.slice(0, at), ...prompt], attached: hiddenParts(rest) };
}

function hiddenParts(parts: readonly Part[]): Part[] {
  let name = "referenced files";
  return parts.flatMap((part): Part[] => {
    if (part.type !== "text") return [{ ...part, audience: "model" }];
    return part.text.split(FRAMES).flatMap((text, index) => {
      name = HEADING.exec(text)?.[1] ?? name;
      // Every second piece is a separator line.
      return text === "" ? [] : [hidden(text, index % 2 === 1 ? undefined : name)];
    });
  });
}

function hidden(text: string, name: string | undefined): TextPart {
  const part: TextPart = { type: "text", text, continues: true, audience: "model" };
  return name === undefined ? part : { ...part, name };
}
