/**
 * Converts a user's message to what the model gets: OpenCode 1.18.34, session/message-v2.ts,
 * `toModelMessagesEffect`.
 */
import { fileURLToPath } from "node:url";
import { oneText, partFor } from "../../core/event/audience.ts";
import type { AttachmentPart, Part } from "../../core/event/message.ts";
import type { UserMessagePayload } from "../../core/event/payload.ts";
import { attachmentFromReference, attachmentFromUrl } from "../../core/event/attachment.ts";
import { asName, asText, type Json } from "../engine/json.ts";
import type { StoredMessage, StoredPart } from "./stored_session.ts";

// Verbatim: OpenCode.
const COMPACTION_QUESTION = "What did we do so far?";
/** The text that the model gets for a prompt that ran a command or a subtask. */
export const USER_RAN = "The following tool was executed by the user";

/** Returns the user's message. Parts that OpenCode added are for the model alone. */
export function userMessage({ parts }: StoredMessage): UserMessagePayload | undefined {
  const said = parts.flatMap(({ data }, index) =>
    userPart(data).flatMap((part) =>
      isShown(data) ? [part] : partFor(named(part, parts[index + 1]), undefined)
    )
  );
  return said.length === 0 ? undefined : { content: oneText(said) };
}

/** Names a text part after the next part, if that is the file whose content the text is. */
function named(part: Part, next: StoredPart | undefined): Part {
  const { type, filename, url, mime } = next?.data ?? {};
  if (part.type !== "text" || type !== "file" || !isSentAsText({ mime })) return part;
  return { ...part, name: asName(filename) ?? filePath(asText(url) ?? "") };
}

/** True for a part from the user. Other parts are from OpenCode, such as hints. */
function isShown({ type, synthetic }: Json): boolean {
  return type === "file" || (type === "text" && synthetic !== true);
}

/** Returns the parts that have data outside the content of {@linkcode userMessage}. */
export function unsaidParts({ parts }: StoredMessage): StoredPart[] {
  return parts.filter(({ data }) => {
    if (data.type === "subtask") return true;
    return data.type !== "compaction" && data.text !== "" && userPart(data).length === 0;
  });
}

function userPart(data: Json): Part[] {
  switch (data.type) {
    case "text": {
      const text = asText(data.text) ?? "";
      if (text === "") return [];
      return [{ type: "text", text, ...data.ignored === true && { audience: "user" } }];
    }
    case "file":
      return isSentAsText(data) ? [] : [fileAttachment(data)];
    case "compaction":
      return [{ type: "text", text: COMPACTION_QUESTION }];
    case "subtask":
      return [{ type: "text", text: USER_RAN }];
    default:
      return [];
  }
}

/** True for a file whose content OpenCode sends as a text part before the file part. */
function isSentAsText({ mime }: Json): boolean {
  return mime === "text/plain" || mime === "application/x-directory";
}

export function fileAttachment({ url, mime, filename }: Json): AttachmentPart {
  const address = asText(url) ?? "";
  const type = asName(mime) ?? "application/octet-stream";
  if (address.startsWith("file:")) return attachmentFromReference(filePath(address), type);
  const attachment = attachmentFromUrl(address, type);
  const name = asName(filename);
  return name === undefined || attachment.data === undefined
    ? attachment
    : { ...attachment, path: name };
}

function filePath(address: string): string {
  try {
    return fileURLToPath(address);
  } catch {
    // TypeError: no path of this system.
    return address;
  }
}
