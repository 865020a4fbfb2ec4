/**
 * Recognizes messages that an agent sends in the user's name. They are in the conversation, but not
 * in the transcript.
 */
import { isFor } from "../event/audience.ts";
import type { Content } from "../event/message.ts";
import type { LogEvent } from "../event/envelope.ts";
import { isMessageKind } from "../event/opened_calls.ts";
import type { UserMessagePayload } from "../event/payload.ts";

/** True if people do not see a user message. */
export function isUnseen({ content, role }: UserMessagePayload): boolean {
  return role !== undefined || isHidden(content);
}

/** True where a content has parts, and all of them are for the model. */
export function isHidden(content: Content): boolean {
  if (typeof content === "string" || content.length === 0) return false;
  return content.every((part) => !isFor(part, "user"));
}

/** True if the user saw some of a message: thoughts and calls do not count. */
export function isSeen(content: Content): boolean {
  if (typeof content === "string") return content !== "";
  return content.some((part) => {
    if (!isFor(part, "user") || part.type === "reasoning" || part.type === "tool_call") {
      return false;
    }
    return part.type !== "text" || part.text !== "";
  });
}

/** True for a message event that the user saw, and for one whose payload was not parsed. */
export function isSaid(event: LogEvent): boolean {
  if (!isMessageKind(event.kind)) return false;
  return event.form !== "known" ||
    ("content" in event.payload && isSeen(event.payload.content as Content));
}
