/**
 * Converts attachments of prompts and results of tools to parts.
 *
 * Source: `@github/copilot-sdk` 1.0.14, generated/session-events.d.ts: `Attachment`,
 * `PersistedBinaryResult`, `BinaryAssetData`. Bytes that are stored apart are in a
 * `session.binary_asset` event, by its id.
 */
import { asList, asName, asObject, asText, type Json } from "../engine/json.ts";
import type { AttachmentPart, TextPart } from "../../core/event/message.ts";
import {
  attachmentFromBase64,
  attachmentFromReference,
  attachmentFromUrl,
} from "../../core/event/attachment.ts";

/** Returns the stored bytes with an id, in base64; undefined if they are unknown. */
type AssetOf = (id: string) => string | undefined;

const BINARY = "application/octet-stream";

export function toAttachment(value: Json, assetOf: AssetOf): AttachmentPart | undefined {
  const media_type = asName(value.mimeType) ?? BINARY;
  const data = asText(value.data) ?? assetOf(asText(value.assetId) ?? "");
  const path = asName(value.path);
  if (value.type === "file" && path !== undefined) {
    if (data === undefined) return attachmentFromReference(path, media_type);
    return { ...attachmentFromBase64(data, media_type), path };
  }
  if (data === undefined) return undefined;
  return ["blob", "image", "resource"].includes(asText(value.type) ?? "")
    ? attachmentFromBase64(data, media_type)
    : undefined;
}

/** Returns a message's parts from an older session, in the form of OpenAI's chat completions. */
export function chatParts(content: unknown): (TextPart | AttachmentPart)[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return asList(content).map(asObject).flatMap((part): (TextPart | AttachmentPart)[] => {
    const url = asText(asObject(part.image_url).url);
    if (part.type === "image_url" && url !== undefined) return [attachmentFromUrl(url)];
    return typeof part.text === "string" ? [{ type: "text", text: part.text }] : [];
  });
}
