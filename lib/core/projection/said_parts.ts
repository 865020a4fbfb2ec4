/** Converts the texts of events to parts of messages. */
import { isObject } from "../event/guard.ts";
import type { Content, Part, ReasoningPart } from "../event/message.ts";

/** Returns the parts of a content. An empty text becomes a part, too. */
export function partsOf(content: Content): Part[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** Returns the parts of a content. An empty text becomes no part. */
export function toParts(content: Content): Part[] {
  if (typeof content !== "string") return content;
  return content === "" ? [] : [{ type: "text", text: content }];
}

export function isSpoken(content: Content): boolean {
  if (typeof content === "string") return content !== "";
  return content.some((part) => part.type !== "reasoning");
}

export function reasoningPart(
  payload: { content: string; provider_data?: unknown },
): ReasoningPart {
  const { content, provider_data } = payload;
  return provider_data === undefined
    ? { type: "reasoning", text: content }
    : { type: "reasoning", text: content, provider_data };
}

export function withoutCalls(content: Content): Content {
  if (typeof content === "string" || !content.some(({ type }) => type === "tool_call")) {
    return content;
  }
  return content.filter(({ type }) => type !== "tool_call");
}

const A_CALL: Part = { type: "tool_call", call_id: "", name: "", input: null };
const A_THOUGHT: Part = { type: "reasoning", text: "" };

/** Replaces omitted calls and reasoning by empty parts, except reasoning with an audience. */
export function withoutOmitted(
  content: Content,
  omits: { tools: boolean; reasoning: boolean },
): Content {
  if (typeof content === "string") return content;
  return content.map((part) => {
    if (omits.tools && part.type === "tool_call") return A_CALL;
    const is_needless = omits.reasoning && part.type === "reasoning" && part.audience === undefined;
    return is_needless ? A_THOUGHT : part;
  });
}

export function commandOf(input: unknown): string {
  if (typeof input === "string") return input;
  const command = isObject(input) ? input.command : undefined;
  return typeof command === "string" ? command : JSON.stringify(input) ?? "";
}
