/** Reads the signature by which a provider accepts its model's reasoning again. */
import { isObject } from "../../../core/event/guard.ts";

/** Anthropic's proof of its own thinking: a signature of the text, or the encrypted text. */
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

/** Returns the provider's data about reasoning. Converted messages have the data in `rest`. */
function givenBy(data: Record<string, unknown>): Record<string, unknown> {
  if (typeof data.shape !== "string" || !isObject(data.rest)) return data;
  return isObject(data.rest.providerOptions) ? data.rest.providerOptions : data.rest;
}
