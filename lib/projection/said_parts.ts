/** Converts the texts of events to parts of messages. */
import type { Content, Part, ReasoningPart, ToolCallPart } from "../event/message.ts";

/** A call as a part. */
export function toolCall(
  { call_id, input_text, provider_data }: Pick<
    ToolCallPart,
    "call_id" | "input_text" | "provider_data"
  >,
  name: string,
  input: unknown,
): ToolCallPart {
  const call: ToolCallPart = { type: "tool_call", call_id, name, input };
  if (input_text !== undefined) call.input_text = input_text;
  if (provider_data !== undefined) call.provider_data = provider_data;
  return call;
}

/** The parts of a content; none of an empty text. */
export function toParts(content: Content): Part[] {
  if (typeof content !== "string") return content;
  return content === "" ? [] : [{ type: "text", text: content }];
}

/** Whether a content is more than reasoning. */
export function isSpoken(content: Content): boolean {
  if (typeof content === "string") return content !== "";
  return content.some((part) => part.type !== "reasoning");
}

/** A thought as a part. */
export function reasoningPart(
  payload: { content: string; provider_data?: unknown },
): ReasoningPart {
  const { content, provider_data } = payload;
  return provider_data === undefined
    ? { type: "reasoning", text: content }
    : { type: "reasoning", text: content, provider_data };
}
