/** Converts texts, images, files and prompts from and to content blocks of ACP. Pure. */
import type { ContentBlock } from "npm:@agentclientprotocol/sdk@2.4.0";
import type { AttachmentPart, Content, Output } from "../../core/event/message.ts";
import { sanitizeLine, sanitizeText } from "../../text/render/sanitize.ts";
import { ExactNumber } from "../../core/event/exact_number.ts";

const MOST_IMAGE_BYTES = 1024 * 1024;

/** Makes a text block with visible control characters. A client may print it to a terminal. */
export function textBlock(text: string): ContentBlock & { type: "text" } {
  return { type: "text", text: sanitizeText(text) };
}

export function contentBlocks(content: Content | Output): ContentBlock[] {
  if (typeof content === "string") return content === "" ? [] : [textBlock(content)];
  return content.flatMap((part): ContentBlock[] => {
    if (part.type === "text") return part.text === "" ? [] : [textBlock(part.text)];
    if (part.type === "json") return [textBlock(JSON.stringify(part.value))];
    return part.type === "image" || part.type === "file" ? [attachmentBlock(part)] : [];
  });
}

function attachmentBlock({ type, media_type, data, path, bytes }: AttachmentPart): ContentBlock {
  if (type === "image" && data !== undefined && bytes < MOST_IMAGE_BYTES) {
    return { type: "image", data, mimeType: media_type };
  }
  return textBlock(
    `[${type} ${media_type}, ${bytes} bytes${path === undefined ? "" : `: ${path}`}]`,
  );
}

/** Maximum characters of a shortened output or argument. */
export const MOST_CHARACTERS = 4096;

export function shortText(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const missing = text.length - MOST_CHARACTERS;
  return `${text.slice(0, MOST_CHARACTERS).toWellFormed()}\n… ${missing} more characters`;
}

/** Returns a call's arguments with visible control characters. Shortens them unless `whole`. */
export function shownInput(value: unknown, whole: boolean): unknown {
  if (typeof value === "string") return sanitizeText(whole ? value : shortText(value));
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value;
  if (Array.isArray(value)) return value.map((one) => shownInput(one, whole));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [sanitizeLine(key), shownInput(one, whole)]),
  );
}

/**
 * Returns a prompt as one text. The text of attached files is inserted in `<file>` elements.
 *
 * @throws {RangeError} If a block is of an unsupported kind.
 */
export function promptText(prompt: readonly ContentBlock[]): string {
  return prompt.map(blockText).join("\n\n").trim();
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource_link":
      return fileTag(block.uri);
    case "resource": {
      const { resource } = block;
      return "text" in resource
        ? fileTag(resource.uri, resource.text)
        : fileTag(resource.uri, "(left out, because it is not text)");
    }
    default:
      throw new RangeError(`Cannot send prompt: ${block.type} is not supported; send text`);
  }
}

function fileTag(uri: string, text?: string): string {
  const name = uri.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return text === undefined ? `<file uri="${name}"/>` : `<file uri="${name}">\n${text}\n</file>`;
}
