/**
 * The content of Codex's items (codex-rs/protocol/src/models.rs: ContentItem,
 * FunctionCallOutputContentItem) as ours.
 */
import { textFor, toContent } from "../../event/audience.ts";
import type { Content, OutputPart, Part } from "../../event/message.ts";
import { attachmentFromUrl } from "../../event/inline_attachment.ts";
import { asList, asObject, asText } from "../../reading/json_value.ts";

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

/** True if all of a content has a place among our parts. */
export function isWholeContent(content: unknown): boolean {
  return typeof content === "string" || asList(content).every((item) => toPart(item) !== undefined);
}

/** The parts of a message of which people see only some texts, as `shownOf` cuts them. */
export function partsFor(parts: readonly Part[], shownOf: (text: string) => string): Content {
  const both = parts.flatMap((part): Part[] => {
    if (part.type !== "text") return [part];
    const content = textFor(shownOf(part.text), part.text);
    return typeof content === "string" ? [part] : content;
  });
  return toContent(both);
}

/** The texts of a content, as Codex joins them (`content_items_to_text`, compact.rs). */
export function contentTexts(content: unknown): string {
  if (typeof content === "string") return content;
  return asList(content).flatMap((item) => asText(asObject(item).text) || []).join("\n");
}

/** What a call gave: a text, and all of it as parts where something is attached to it. */
export interface OutputContent {
  text: string;
  parts: OutputPart[] | undefined;
}

/** Reads the output of a call: a text or content items; very old ones wrap the text. */
export function toOutput(output: unknown): OutputContent {
  const wrapped = asObject(output).content;
  if (typeof wrapped === "string") return { text: wrapped, parts: undefined };
  if (typeof output === "string") return { text: output, parts: undefined };
  if (!Array.isArray(output)) {
    return { text: output === undefined ? "" : JSON.stringify(output), parts: undefined };
  }
  const parts = toParts(output).flatMap((part): OutputPart[] =>
    part.type === "text" || part.type === "image" || part.type === "file" ? [part] : []
  );
  const attached = parts.some(({ type }) => type !== "text");
  return { text: contentTexts(output), parts: attached ? parts : undefined };
}
