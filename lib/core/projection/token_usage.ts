/** Adds up tokens. An absent count is unknown, and stays absent if no addend has it. */
import type { TokenUsage } from "../event/payload.ts";

const FIELDS = ["input", "output", "cache_read", "cache_write", "reasoning"] as const;

export function addUsage(total: TokenUsage, usage: TokenUsage): void {
  for (const field of FIELDS) {
    const tokens = usage[field];
    if (tokens !== undefined) total[field] = added(total[field], tokens);
  }
}

/** Returns the sum as a finite number, as JSON needs. A damaged count may be huge. */
export function added(sum = 0, number = 0): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, sum + number));
}

/** Returns the sum of counted tokens. Reasoning is a part of the output. */
export function countedTokens(
  { input = 0, output = 0, cache_read = 0, cache_write = 0 }: TokenUsage,
): number {
  return added(added(input, output), added(cache_read, cache_write));
}
