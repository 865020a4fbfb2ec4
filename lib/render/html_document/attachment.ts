/**
 * An image or a file: the image itself where its type can do no harm, else a note.
 *
 * @module
 */
import type { AttachmentPart } from "../../event/message.ts";
import { attachmentWords } from "../attachment.ts";
import { safe, type SafeHtml } from "./safe_html.ts";

/** Raster images alone: an SVG is a document that can hold anything. */
const RASTER = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** HTML of an attachment. */
export function attachmentHtml(part: AttachmentPart): SafeHtml {
  const note = attachmentNote(part);
  const type = RASTER.find((known) => known === part.media_type);
  const { data = "" } = part;
  if (part.type !== "image" || type === undefined || !BASE64.test(data)) {
    return safe`<p class="note">${note}</p>`;
  }
  return safe`<figure><img src="data:${type};base64,${data}" alt="Attached image"><figcaption>${note}</figcaption></figure>`;
}

/** Such as `Image · image/png · 12.3 KB · shot.png`. */
export function attachmentNote(part: AttachmentPart): string {
  const [kind, ...words] = attachmentWords(part);
  return [kind === "image" ? "Image" : "File", ...words].join(" · ");
}
