/** Splits a response into the items of a transcript: what was said, thought and called, in order. */
import { contentFor, oneText } from "../../event/audience.ts";
import type { Content, Part, ToolCallPart } from "../../event/message.ts";
import type {
  ItemBase,
  ItemStatus,
  MessageItem,
  ReasoningItem,
  ToolItem,
} from "./transcript_item.ts";

/** What a response is shown as. */
export type ResponseItem = MessageItem | ReasoningItem | ToolItem;

/** The fields that all messages of a response have. */
export type SaidBy = Pick<MessageItem, "message_id" | "model" | "interrupted" | "reason">;

/**
 * Returns the items of a response for the user. Texts and attachments that stand side by side are
 * one message. A declared call has `status` until it begins or ends.
 */
export function responseItems(
  content: Content,
  base: ItemBase,
  said: SaidBy,
  status: ItemStatus,
): ResponseItem[] {
  const seen = contentFor(content, "user");
  if (typeof seen === "string" || !seen.some(isItsOwnItem)) {
    return seen.length === 0 ? [] : [messageItem(seen, base, said)];
  }
  const items: ResponseItem[] = [];
  let together: Part[] = [];
  const closeMessage = (): void => {
    const text = oneText(together);
    if (text.length > 0) items.push(messageItem(text, base, said));
    together = [];
  };
  for (const part of seen) {
    if (!isItsOwnItem(part)) {
      together.push(part);
      continue;
    }
    closeMessage();
    if (part.type === "tool_call") items.push(callItem(part, base, status));
    else if (part.type === "reasoning" && part.text !== "") {
      items.push({ type: "reasoning", ...base, text: part.text });
    }
  }
  closeMessage();
  return items;
}

function isItsOwnItem({ type }: Part): boolean {
  return type === "tool_call" || type === "reasoning";
}

function messageItem(content: Content, base: ItemBase, said: SaidBy): MessageItem {
  return { type: "message", ...base, role: "assistant", content, ...said };
}

/** A call that a response declares. */
export function callItem(
  { call_id, name, input }: Pick<ToolCallPart, "call_id" | "name" | "input">,
  base: ItemBase,
  status: ItemStatus,
): ToolItem {
  return { type: "tool", ...base, call_id, name, input, status };
}
