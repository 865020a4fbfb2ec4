/** An image or a file, as a person is told of it. */
import type { AttachmentPart } from "../event/message.ts";
import { formatBytes } from "./byte_size.ts";
import { sanitizeLine } from "./sanitize.ts";

/** Such as `[image image/png 12.3 KB]`. */
export function attachmentText(part: AttachmentPart): string {
  const words = [part.type, part.media_type, formatBytes(part.bytes)];
  if (part.path !== undefined) words.push(part.path);
  return `[${words.map(sanitizeLine).join(" ")}]`;
}
