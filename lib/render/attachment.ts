/** An image or a file, as a person is told of it. */
import type { AttachmentPart } from "../event/message.ts";
import { formatBytes } from "./byte_size.ts";
import { sanitizeLine } from "./sanitize.ts";

/** Its kind, type, size and path, such as `image`, `image/png`, `12.3 KB` and `shot.png`. */
export function attachmentWords({ type, media_type, bytes, path }: AttachmentPart): string[] {
  const words = [type, media_type, formatBytes(bytes), ...path === undefined ? [] : [path]];
  return words.map(sanitizeLine);
}

/** Such as `[image image/png 12.3 KB]`. */
export function attachmentText(part: AttachmentPart): string {
  return `[${attachmentWords(part).join(" ")}]`;
}
