/**
 * Recognizes messages that an agent sends in the user's name. They are in the conversation, but not
 * in the transcript.
 */
import { isFor } from "../event/audience.ts";
import type { Content } from "../event/message.ts";
import type { LogEvent } from "../event/envelope.ts";
import { isMessageKind } from "../event/opened_calls.ts";
import type { UserMessagePayload } from "../event/payload.ts";

export function isUnseen({ content, role }: UserMessagePayload): boolean {
  return role !== undefined || isHidden(content);
}

/** True if all parts are for the model alone. Strings and empty contents are never hidden. */
export function isHidden(content: Content): boolean {
  if (typeof content === "string" || content.length === 0) return false;
  return content.every((part) => !isFor(part, "user"));
}

/** True if the user saw a part of the message. Reasoning and tool calls do not count. */
export function isSeen(content: Content): boolean {
  if (typeof content === "string") return content !== "";
  return content.some((part) => {
    if (!isFor(part, "user") || part.type === "reasoning" || part.type === "tool_call") {
      return false;
    }
    return part.type !== "text" || part.text !== "";
  });
}

/** True for a message event that the user saw. An unparsed message event counts as seen. */
export function isSaid(event: LogEvent): boolean {
  if (!isMessageKind(event.kind)) return false;
  return event.form !== "known" ||
    ("content" in event.payload && isSeen(event.payload.content as Content));
}
