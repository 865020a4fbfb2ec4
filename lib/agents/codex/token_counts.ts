/**
 * Tokens as Codex counts them: `input` holds what came from the cache or was written to it.
 */
import { asNumber, asObject } from "../../reading/json_value.ts";

/** The counts of one answer, or of a thread so far. */
export interface TokenCounts {
  input: number;
  cached: number;
  written: number;
  output: number;
  reasoning: number;
  total: number;
}

/** One count of a rollout. */
export interface CountedAnswer {
  time: string;
  model: string;
  counts: TokenCounts;
}

/** Reads counts; undefined where there are none. */
export function countedTokens(value: unknown): TokenCounts | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const tokens = asObject(value);
  const [input, output] = [asNumber(tokens.input_tokens) ?? 0, asNumber(tokens.output_tokens) ?? 0];
  return {
    input,
    cached: asNumber(tokens.cached_input_tokens) ?? 0,
    written: asNumber(tokens.cache_write_input_tokens) ?? 0,
    output,
    reasoning: asNumber(tokens.reasoning_output_tokens) ?? 0,
    total: asNumber(tokens.total_tokens) || input + output,
  };
}

/** What was added since; never less than nothing, for a thread's count may begin anew. */
export function addedTokens(
  totals: TokenCounts | undefined,
  before: TokenCounts | undefined,
): TokenCounts | undefined {
  if (totals === undefined || before === undefined) return totals;
  const added = { ...totals };
  for (const field of Object.keys(added) as (keyof TokenCounts)[]) {
    added[field] = Math.max(0, totals[field] - before[field]);
  }
  return added;
}

/** True if nothing was counted. The total alone says nothing: after a compaction it is the window. */
export function isNothing({ input, cached, written, output, reasoning }: TokenCounts): boolean {
  return input + cached + written + output + reasoning === 0;
}
