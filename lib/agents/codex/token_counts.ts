/** Tokens as Codex counts them: `input` includes tokens read from the cache or written to it. */
import type { TokenUsage } from "../../core/event/payload.ts";
import { promptUsage } from "../engine/events/prompt_usage.ts";
import { asNumber, asObject } from "../engine/json.ts";

/** The counts of one answer, or of a thread so far. */
export interface TokenCounts {
  input: number;
  cached: number;
  written: number;
  output: number;
  reasoning: number;
  total: number;
}

export interface CountedAnswer {
  time: string;
  model: string;
  counts: TokenCounts;
}

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

/**
 * Returns the tokens added since an earlier count. No result is negative, although a thread's count
 * may start anew.
 */
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

/**
 * True if all counts except the total are 0. After a compaction, Codex writes such counts with the
 * context window as the total.
 */
export function isNothing({ input, cached, written, output, reasoning }: TokenCounts): boolean {
  return input + cached + written + output + reasoning === 0;
}

/**
 * The state of reading token counts. Codex 0.169 writes a `token_usage_record` right after an
 * answer's items. Older versions write an event `token_count` with the thread's total. They repeat
 * the event when only the rate limits change. Up to 0.40, the event precedes the items of its
 * answer. In later versions, the event follows the items, or the outputs of their calls (samples).
 */
export interface UsageReading {
  /** True if there are `token_usage_record`s. A `token_count` then adds nothing new. */
  recorded: boolean;
  /** The thread's total in the last `token_count`, as JSON. An equal total is a repeated event. */
  total: string;
}

function toTokenUsage(value: unknown): TokenUsage | undefined {
  const tokens = asObject(value);
  const input = asNumber(tokens.input_tokens);
  const output = asNumber(tokens.output_tokens);
  // After a compaction, Codex writes a count without an answer.
  if (!input && !output) return undefined;
  return promptUsage({
    prompt: input,
    output,
    cache_read: asNumber(tokens.cached_input_tokens),
    cache_write: asNumber(tokens.cache_write_input_tokens),
    reasoning: asNumber(tokens.reasoning_output_tokens),
  });
}

export function readUsage(
  reading: UsageReading,
  type: string,
  payload: Readonly<Record<string, unknown>>,
): TokenUsage | undefined {
  if (type === "token_usage_record") {
    reading.recorded = true;
    return toTokenUsage(payload.usage);
  }
  if (reading.recorded) return undefined;
  const { total_token_usage, last_token_usage } = asObject(payload.info);
  const total = JSON.stringify(total_token_usage);
  if (total === undefined || total === reading.total) return undefined;
  reading.total = total;
  return toTokenUsage(last_token_usage);
}
