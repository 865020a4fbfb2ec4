/** Reads the signature that Anthropic requires with its models' reasoning in later requests. */
import { isObject } from "../../../core/event/guard.ts";

/** Anthropic's proof that its model wrote the reasoning: a signature or the encrypted text. */
type ThinkingSeal = { signature: string } | { redacted: string };

/**
 * Reads `provider_data` of a reasoning part: `{ signature }` or `{ type: "redacted_thinking", data
 * }`. The AI SDK wraps both: `{ anthropic: { signature } }` and `{ anthropic: { redactedData } }`.
 */
export function thinkingSeal(provider_data: unknown): ThinkingSeal | undefined {
  if (!isObject(provider_data)) return undefined;
  const given = givenBy(provider_data);
  const own = isObject(given.anthropic) ? given.anthropic : given;
  const redacted = own.type === "redacted_thinking" ? own.data : own.redactedData;
  if (typeof redacted === "string" && redacted !== "") return { redacted };
  const { signature } = own;
  return typeof signature === "string" && signature !== "" ? { signature } : undefined;
}

/** Returns the provider's own data. Messages read from a request hold the data in `rest`. */
function givenBy(data: Record<string, unknown>): Record<string, unknown> {
  if (typeof data.shape !== "string" || !isObject(data.rest)) return data;
  return isObject(data.rest.providerOptions) ? data.rest.providerOptions : data.rest;
}
