/**
 * Reads the usage of a Copilot CLI run by model, from the sum at its end. Sub-agents are included.
 *
 * A run before is not: the sums are made of events that are not stored (0.0.420, index.js,
 * `processUsageEvent`). Answers tell their output alone, which is taken off.
 */
import type { TokenUsage } from "../../event/payload.ts";
import { asName, asNumber, asObject } from "../../reading/json_value.ts";
import { promptUsage } from "../../reading/events/prompt_usage.ts";

type Json = Readonly<Record<string, unknown>>;

/** The output that answers told of, by model, since the last sum. */
export type Spent = Map<string, number>;

/** Notes what an answer told, where those before it are known. */
export function noteSpent(spent: Spent | undefined, { model, outputTokens }: Json): void {
  const name = asName(model) ?? "";
  spent?.set(name, (spent.get(name) ?? 0) + (asNumber(outputTokens) ?? 0));
}

/** Returns what each model took beside what answers told; no usage where that is not known. */
export function runUsage(
  metrics: unknown,
  spent: Spent | undefined,
): { model: string; usage: TokenUsage | undefined }[] {
  return Object.entries(asObject(metrics)).flatMap(([model, sums]) => {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = asObject(
      asObject(sums).usage,
    );
    const output = asNumber(outputTokens);
    const usage = promptUsage({
      prompt: asNumber(inputTokens),
      output: output === undefined ? undefined : Math.max(0, output - (spent?.get(model) ?? 0)),
      cache_read: asNumber(cacheReadTokens),
      cache_write: asNumber(cacheWriteTokens),
    });
    return usage === undefined ? [] : [{ model, usage: spent && usage }];
  });
}
