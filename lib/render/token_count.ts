/**
 * A number of tokens as a person reads it.
 *
 * @module
 */
import { scaleNumber } from "./scaled_number.ts";

/**
 * Writes a number of tokens.
 *
 * @param tokens The number.
 * @returns Such as `950`, `12.3k`, `1.2M`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { formatTokens } from "./token_count.ts";
 *
 * assert.equal(formatTokens(12_345), "12.3k");
 * ```
 */
export function formatTokens(tokens: number): string {
  return scaleNumber(tokens, ["", "k", "M", "G"]);
}
