/** Splits a model's response into transcript items: texts, reasoning and calls, in order. */
import { contentFor, oneText } from "../../event/audience.ts";
import type { Content, Output, Part, ToolCallPart } from "../../event/message.ts";
import type { BashEndPayload, ToolEndPayload } from "../../event/payload.ts";
import type {
  BashItem,
  ItemBase,
  ItemStatus,
  MessageItem,
  ReasoningItem,
  ToolItem,
} from "./item.ts";

export type ResponseItem = MessageItem | ReasoningItem | ToolItem;

export type SaidBy = Pick<MessageItem, "message_id" | "model" | "interrupted" | "reason">;

/**
 * Returns the items of a response for the user. Adjacent texts and attachments are one message.
 * Calls have `status` until they begin or end.
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

export function callItem(
  { call_id, name, input, caption }: Pick<ToolCallPart, "call_id" | "name" | "input" | "caption">,
  base: ItemBase,
  status: ItemStatus,
): ToolItem {
  return { type: "tool", ...base, call_id, name, input, status, ...captionsOf(caption) };
}

function captionsOf(caption: string | undefined): { captions?: string[] } {
  return caption === undefined ? {} : { captions: [caption] };
}

/** Copies only the named fields of a payload. Unknown fields could overwrite the item's fields. */
export function pick<Payload extends object, Name extends keyof Payload>(
  payload: Payload,
  ...names: Name[]
): Pick<Payload, Name> {
  const picked = {} as Pick<Payload, Name>;
  for (const name of names) if (payload[name] !== undefined) picked[name] = payload[name];
  return picked;
}

const OUTCOME = ["call_id", "status", "error", "duration_ns", "truncated"] as const;

export function toolOutcome(payload: ToolEndPayload): Omit<ToolItem, "type" | keyof ItemBase> {
  return { ...pick(payload, ...OUTCOME, "name", "input"), ...shownOutput(payload) };
}

export function bashOutcome(payload: BashEndPayload): Omit<BashItem, "type" | keyof ItemBase> {
  const outcome = pick(payload, ...OUTCOME, "command", "summary", "exit_code");
  return { ...outcome, ...shownOutput(payload) };
}

function shownOutput(
  { output, caption }: { output?: Output; caption?: string },
): { output?: Output; captions?: string[] } {
  const captions = captionsOf(caption);
  if (output === undefined) return captions;
  if (typeof output === "string") return { output, ...captions };
  const shown = oneText(contentFor(output, "user"));
  return shown.length === 0 ? captions : { output: shown, ...captions };
}
