/**
 * Converts token usage so that each prompt token counts once. Most providers include cached tokens
 * in the prompt's count. Reprise counts them separately.
 */
import type { TokenUsage } from "../../../core/event/payload.ts";
import { present } from "../json.ts";

/** Token counts as agents report them, with cached tokens as part of the prompt. */
interface PromptUsage {
  prompt: number | undefined;
  output: number | undefined;
  cache_read?: number | undefined;
  cache_write?: number | undefined;
  reasoning?: number | undefined;
}

export function promptUsage({ prompt, ...rest }: PromptUsage): TokenUsage | undefined {
  const cached = (rest.cache_read ?? 0) + (rest.cache_write ?? 0);
  // Some proxy of a provider may count apart: a part is never more than the whole.
  const input = prompt === undefined || cached > prompt ? prompt : prompt - cached;
  const { cache_read, cache_write = cache_read === undefined ? undefined : 0 } = rest;
  // A usage that lacks it would be taken for one from before its meaning was settled.
  const usage = present({ ...rest, input, cache_write });
  return Object.keys(usage).length === 0 ? undefined : usage;
}
