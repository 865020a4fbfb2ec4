import assert from "node:assert/strict";
import { findProvider } from "npm:@pydantic/genai-prices@0.1.8";
import { estimatedCost } from "../../../lib/core/pricing/price_table.ts";
import { PROMPT_STEPS } from "../../../lib/core/projection/priced_tokens.ts";

/** Returns the sizes at which a price changes, anywhere in a value. */
function startsIn(value: unknown): number[] {
  if (typeof value !== "object" || value === null) return [];
  const { tiers } = value as { tiers?: { start: number }[] };
  const own = Array.isArray(tiers) ? tiers.map(({ start }) => start) : [];
  return [...own, ...Object.values(value).flatMap(startsIn)];
}

Deno.test("the steps of a prompt are all at which a price of the table changes", () => {
  const providers = ["anthropic", "openai", "google", "x-ai", "openrouter", "aws", "azure"]
    .map((providerId) => findProvider({ providerId }));
  const starts = new Set(providers.flatMap(startsIn));
  assert.ok(starts.size > 2, [...starts].join(" "));
  assert.deepEqual([...starts].filter((start) => !PROMPT_STEPS.includes(start)), []);
});

Deno.test("responses of one step cost together what they cost one by one", () => {
  const tokens = (input: number) => ({
    ...{ input, output: 10, cache_read: 100, cache_write: 7, cache_write_1h: 3 },
  });
  for (const inputs of [[1000, 90_000, 120_000], [210_000, 250_000]]) {
    for (const model of ["claude-sonnet-4-5", "gemini-2.5-pro"]) {
      const apart = inputs.reduce((sum, one) => sum + estimatedCost(model, tokens(one), 2e9)!, 0);
      const all = inputs.reduce((sum, one) => sum + one, 0);
      const { length: responses } = inputs;
      const together = estimatedCost(model, {
        ...{ input: all, output: 10 * responses, cache_read: 100 * responses, responses },
        ...{ cache_write: 7 * responses, cache_write_1h: 3 * responses },
      }, 2e9);
      assert.ok(Math.abs(apart - (together ?? 0)) < 1e-9, `${model} ${inputs}`);
    }
  }
});
