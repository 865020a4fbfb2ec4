/** Content that a program gives, in which attached data need no hash and size. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { AttachmentPart } from "../event/message.ts";
import { isObject } from "../event/guard.ts";
import { SessionError } from "../event/session_error.ts";

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:\s*;.*)?$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

type GivenAttachment = Omit<AttachmentPart, "sha256" | "bytes">;

/**
 * Returns content whose attachments have their SHA-256 and size.
 *
 * @param place The content's event and member for error messages, such as `user_message: content`.
 * @throws {SessionError} `invalid-event` for data that are not base64, or for an invalid media
 * type, because no model would get the attachment.
 */
export function withHashes<Part>(
  content: string | readonly (Part | GivenAttachment)[],
  place: string,
): string | Part[] {
  return typeof content === "string" || !Array.isArray(content)
    ? content as string
    : content.map((part, index) => withHash<Part>(part, `${place}[${index}]`));
}

function withHash<Part>(part: Part | GivenAttachment, place: string): Part {
  if (!isObject(part) || (part.type !== "image" && part.type !== "file")) return part as Part;
  const { data, media_type } = part as Partial<AttachmentPart>;
  if (typeof media_type === "string" && !MEDIA_TYPE.test(media_type)) {
    const why = `is ${JSON.stringify(media_type)}; give a media type such as image/png`;
    throw new SessionError("invalid-event", `Cannot append ${place}.media_type: it ${why}`);
  }
  if (data === undefined && !("sha256" in part)) {
    const why = "it has no data, and no file is read; give the file's bytes in data, as base64";
    throw new SessionError("invalid-event", `Cannot append ${place}: ${why}`);
  }
  if (typeof data !== "string") return part as Part;
  if (!BASE64.test(data)) {
    const why = "is not base64; leave out a prefix such as data:image/png;base64,";
    throw new SessionError("invalid-event", `Cannot append ${place}.data ${why}`);
  }
  const bytes = Buffer.from(data, "base64");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { sha256, bytes: bytes.length, ...part } as Part;
}
