/**
 * Assigns token usage to answers.
 *
 * Codex 0.169 says it in a `token_usage_record` right behind an answer's items. Older versions say
 * it in an event `token_count`, with the thread's total. That event is repeated when only the rate
 * limits changed. Up to 0.40 it stands before the items of its answer. Later it stands behind them,
 * or behind the outputs of its calls (samples).
 */
import type { TokenUsage } from "../../event/payload.ts";
import { promptUsage } from "../../reading/events/prompt_usage.ts";
import { asNumber, asObject } from "../../reading/json_value.ts";

/** What was said of tokens so far. */
export interface UsageReading {
  /** There are `token_usage_record`s: `token_count` says nothing new. */
  recorded: boolean;
  /** The thread's total as of the last `token_count`. */
  total: string;
}

/** Tokens as Codex counts them: `input` holds what came from the cache. */
export function toTokenUsage(value: unknown): TokenUsage | undefined {
  const tokens = asObject(value);
  const input = asNumber(tokens.input_tokens);
  const output = asNumber(tokens.output_tokens);
  // After a compaction there is a count of an answer that was none.
  if (!input && !output) return undefined;
  return promptUsage({
    prompt: input,
    output,
    cache_read: asNumber(tokens.cached_input_tokens),
    cache_write: asNumber(tokens.cache_write_input_tokens),
    reasoning: asNumber(tokens.reasoning_output_tokens),
  });
}

/** The tokens that a record adds; undefined when it adds none. */
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
