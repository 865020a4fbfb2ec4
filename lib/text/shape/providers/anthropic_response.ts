/** Reads whole responses of Anthropic's API: messages with more fields than a request takes. */
import { isObject } from "../../../core/event/guard.ts";
import type { TokenUsage } from "../../../core/event/payload.ts";
import { present } from "../../../core/event/present.ts";
import type { ResponseFacts } from "../kept/piece.ts";

/** Reduces whole responses to request messages. `facts` has the last response's model and usage. */
export function splitResponses(messages: unknown): { messages: unknown; facts: ResponseFacts } {
  if (!Array.isArray(messages)) return { messages, facts: {} };
  const last = messages.findLast((message) => isObject(message) && message.role === "assistant");
  return {
    messages: messages.map((message) =>
      isResponse(message) ? { role: message.role, content: message.content } : message
    ),
    facts: isResponse(last) ? factsOf(last) : {},
  };
}

function isResponse(message: unknown): message is Record<string, unknown> {
  return isObject(message) && message.type === "message" && "stop_reason" in message;
}

function factsOf({ model, stop_reason, usage }: Record<string, unknown>): ResponseFacts {
  return present({
    model: textOf(model),
    finish_reason: textOf(stop_reason),
    usage: isObject(usage) ? anthropicTokens(usage) : undefined,
  });
}

/** Returns the token counts. The API's input excludes tokens read from or written to a cache. */
export function anthropicTokens(given: unknown): TokenUsage {
  const usage = isObject(given) ? given : {};
  return present({
    input: countOf(usage.input_tokens),
    output: countOf(usage.output_tokens),
    cache_read: countOf(usage.cache_read_input_tokens),
    cache_write: countOf(usage.cache_creation_input_tokens),
  });
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
