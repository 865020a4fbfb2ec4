/**
 * Normalizes usage to the meaning in FORMAT.md. In older logs, some providers' `input` includes
 * cached tokens. Such logs have `cache_read` without `cache_write`, which newer ones never do.
 */
import type { TokenUsage } from "../event/payload.ts";

/** Providers that always counted apart, by their names or those of their models. */
const COUNTED_APART = /anthropic|claude/i;

/** Who made an answer. */
export interface AnswerMaker {
  provider?: string;
  model?: string;
}

/** The usage of an answer, in which `input` never includes what came from a cache. */
export function settledUsage(
  usage: TokenUsage,
  { provider = "", model = "" }: AnswerMaker,
): TokenUsage {
  const { input = 0, cache_read = 0, cache_write } = usage;
  if (cache_read === 0 || cache_write !== undefined || input < cache_read) return usage;
  if (COUNTED_APART.test(`${provider} ${model}`)) return usage;
  return { ...usage, input: input - cache_read };
}
