/**
 * Chooses the version of an event's line. It is 2 if a reader of version 1 would mislead the user
 * or the model, else 1. So logs without the new forms stay readable by older programs.
 */
import type { Content, Message, Output, Part } from "./message.ts";
import type { EventKind, PayloadByKind } from "./payload.ts";

/** An event's kind with what it says. */
type Said = { [Kind in EventKind]: { kind: Kind; payload: PayloadByKind[Kind] } }[EventKind];

/** Returns the least version of a reader that understands the event as it is meant. */
export function leastVersion(event: Said): 1 | 2 {
  return needsVersion2(event) ? 2 : 1;
}

function needsVersion2(event: Said): boolean {
  switch (event.kind) {
    case "user_message":
      return event.payload.role !== undefined || isNewContent(event.payload.content);
    case "assistant_message":
    case "assistant_interrupted":
      return isResponse(event.payload.content) || isNewContent(event.payload.content);
    case "reasoning_message":
      return event.payload.audience !== undefined;
    case "tool_start":
      return event.payload.audience !== undefined || event.payload.name === undefined;
    case "bash_start":
      return event.payload.audience !== undefined || event.payload.origin === undefined;
    case "tool_end":
    case "bash_end":
      return isParts(event.payload.output);
    case "compaction_applied":
      return event.payload.messages?.some(isNewMessage) ?? false;
    case "conversation_replaced":
      return true;
    default:
      return false;
  }
}

function isNewMessage({ content }: Message): boolean {
  return isNewContent(content);
}

/** A response in one event: what it thought and called is a part of it. */
function isResponse(content: Content): boolean {
  return typeof content !== "string" &&
    content.some(({ type }) => type === "tool_call" || type === "reasoning");
}

function isNewContent(content: Content): boolean {
  return typeof content !== "string" && content.some(isNewPart);
}

function isNewPart(part: Part): boolean {
  if (part.audience !== undefined) return true;
  if (part.type === "text") return part.continues === true;
  return part.type === "tool_result" && isParts(part.output);
}

function isParts(output: Output | undefined): boolean {
  return output !== undefined && typeof output !== "string";
}
