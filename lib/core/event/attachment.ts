/** Converts images and files of agents to attachment parts. */
import { base64FromBytes, bytesFromBase64 } from "./base64.ts";
import type { AttachmentPart } from "./message.ts";
import { sha256 } from "./sha256.ts";

const DATA_URL = /^data:([^;,]*)((?:;[^;,]*)*),/;

function typeOf(media_type: string): AttachmentPart["type"] {
  return media_type.startsWith("image/") ? "image" : "file";
}

export function attachmentFromBase64(data: string, media_type: string): AttachmentPart {
  const content = bytesFromBase64(data);
  const { length: bytes } = content;
  return { type: typeOf(media_type), media_type, data, sha256: sha256(content), bytes };
}

/** Makes an attachment without content. `path` may be an address instead of a file's path. */
export function attachmentFromReference(path: string, media_type: string): AttachmentPart {
  return { type: typeOf(media_type), media_type, path, sha256: "", bytes: 0 };
}

/** Makes an image from a URL. @param media_type The type, unless `url` is a `data:` URL. */
export function imageFromUrl(url: string, media_type = "image/*"): AttachmentPart {
  return attachmentFromUrl(url, url.startsWith("data:") ? undefined : media_type);
}

/** Makes an attachment from a `data:` URL's content, or from any other URL as a reference. */
export function attachmentFromUrl(url: string, media_type?: string): AttachmentPart {
  const match = DATA_URL.exec(url);
  const type = media_type ?? (match?.[1] || "application/octet-stream");
  if (match === null) return attachmentFromReference(url, type);
  const data = url.slice(match[0].length);
  if (match[2]?.endsWith(";base64")) return attachmentFromBase64(data, type);
  return attachmentFromBase64(
    base64FromBytes(new TextEncoder().encode(percentDecoded(data))),
    type,
  );
}

export function attachmentUrl(
  { media_type, data, path = "" }: Pick<AttachmentPart, "media_type" | "data" | "path">,
): string {
  return data === undefined ? path : `data:${media_type};base64,${data}`;
}

/** Decodes percent-encoding. A text with an invalid percent sign is returned unchanged. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
