/** The content of a prompt, in which attached data need no hash and size. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { AttachmentPart, Content, Part } from "../event/message.ts";
import { isObject } from "../event/guard.ts";
import { SessionError } from "../event/session_error.ts";

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Returns a content whose attachments have their SHA-256 and size.
 *
 * @throws {SessionError} `invalid-event` for data that are not base64: no model would get them.
 */
export function withHashes(
  content: string | readonly (Part | Omit<AttachmentPart, "sha256" | "bytes">)[],
): Content {
  return Array.isArray(content) ? content.map(withHash) : content as Content;
}

function withHash(part: Part | Omit<AttachmentPart, "sha256" | "bytes">, index: number): Part {
  if (!isObject(part) || (part.type !== "image" && part.type !== "file")) return part as Part;
  const { data } = part as Partial<AttachmentPart>;
  if (typeof data !== "string") return part as Part;
  if (!BASE64.test(data)) {
    const why = "is not base64; leave out a prefix such as data:image/png;base64,";
    throw new SessionError(
      "invalid-event",
      `Cannot append user_message: content[${index}].data ${why}`,
    );
  }
  const bytes = Buffer.from(data, "base64");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { sha256, bytes: bytes.length, ...part } as AttachmentPart;
}
