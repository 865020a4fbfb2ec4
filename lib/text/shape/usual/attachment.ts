/** Selects attachments that all providers accept, and describes all other attachments in words. */
import type { AttachmentPart } from "../../../core/event/message.ts";

/** An image or a PDF that every provider accepts as part of a message. */
export interface InlineFile {
  /** The kind of file. PDF is the only document type that all providers accept. */
  type: "image" | "pdf";
  /** The media type in its standard spelling, for example `image/jpeg` for `image/jpg`. */
  media_type: string;
  data: string;
  /** The last part of the file's path. Without a path, for example `attachment.png`. */
  filename: string;
}

/** Media types that all providers accept. The keys are their spellings in lower case. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  "image/png": "image/png",
  "image/jpeg": "image/jpeg",
  "image/jpg": "image/jpeg",
  "image/gif": "image/gif",
  "image/webp": "image/webp",
  "application/pdf": "application/pdf",
};

export function inlineFile({ media_type, data, path }: AttachmentPart): InlineFile | undefined {
  const name = media_type.toLowerCase();
  const known = Object.hasOwn(MEDIA_TYPES, name) ? MEDIA_TYPES[name] : undefined;
  if (known === undefined || data === undefined || !isBase64(data)) return undefined;
  const type = known === "application/pdf" ? "pdf" : "image";
  const filename = path?.split(/[\\/]/).at(-1) || `attachment.${known.split("/")[1]}`;
  return { type, media_type: known, data, filename };
}

export function attachmentText({ type, media_type, bytes, path }: AttachmentPart): string {
  const about = [media_type, `${bytes} bytes`, path].filter((detail) => detail);
  return `[${type} not included: ${about.join(", ")}]`;
}

export function dataUrl({ media_type, data }: InlineFile): string {
  return `data:${media_type};base64,${data}`;
}

function isBase64(data: string): boolean {
  return data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}
