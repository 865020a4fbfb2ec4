/**
 * The levels of detail for calls in a document.
 *
 * @module
 */
import type { Part } from "../event/message.ts";
import type { MessageItem, TranscriptItem } from "../projection/transcript/transcript_item.ts";
import type { ToolDetail } from "./session_document.ts";

/** The item with as much of calls as is wanted; undefined where nothing of it is. */
export function atDetail(item: TranscriptItem, tools: ToolDetail): TranscriptItem | undefined {
  if (tools === "full") return item;
  switch (item.type) {
    case "tool":
    case "bash": {
      if (tools === "none") return undefined;
      const { output: _output, error: _error, ...outcome } = item;
      return outcome;
    }
    case "diff":
      return tools === "none" ? undefined : { ...item, lines: [] };
    case "extension":
      return tools === "none" ? undefined : { ...item, data: undefined };
    case "unreadable":
      // It may be a call, or what a call gave.
      return { ...item, payload: undefined };
    case "message":
      return messageAtDetail(item, tools);
    default:
      return item;
  }
}

/** Some agents tell of calls within messages. */
function messageAtDetail(
  item: MessageItem,
  tools: Exclude<ToolDetail, "full">,
): MessageItem | undefined {
  if (typeof item.content === "string") return item;
  const content = item.content.flatMap((part) => partAtDetail(part, tools));
  const is_empty = content.length === 0 && item.content.length > 0;
  return is_empty && item.role === "assistant" && !item.interrupted
    ? undefined
    : { ...item, content };
}

function partAtDetail(part: Part, tools: Exclude<ToolDetail, "full">): Part[] {
  if (part.type !== "tool_call" && part.type !== "tool_result") return [part];
  if (tools === "none") return [];
  return part.type === "tool_call" ? [part] : [{ ...part, output: "" }];
}
