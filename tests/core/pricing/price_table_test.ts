import assert from "node:assert/strict";
import { calcPrice } from "npm:@pydantic/genai-prices@0.1.8";
import { estimatedCost, PRICES_AS_OF } from "../../../lib/core/pricing/price_table.ts";

const SECONDS = Date.parse("2026-01-01T12:00:00Z") / 1000;
const NOTHING = { input: 0, output: 0, cache_read: 0, cache_write: 0, cache_write_1h: 0 };

function close(value: number | undefined, expected: number): void {
  assert.ok(value !== undefined && Math.abs(value - expected) < 1e-9, `${value} not ${expected}`);
}

Deno.test("a cost is estimated as the table's own program does it", () => {
  const models = [
    "claude-sonnet-4-5-20250929",
    "claude-haiku-4-5",
    "gpt-5-codex",
    "gemini-2.5-pro",
  ];
  for (const model of models) {
    for (const input of [100, 150_000, 250_000]) {
      const tokens = { ...NOTHING, input, output: 70, cache_read: 5000 };
      const theirs = calcPrice(
        { input_tokens: input + 5000, cache_read_tokens: 5000, output_tokens: 70 },
        model,
        { timestamp: new Date(SECONDS * 1000) },
      );
      close(estimatedCost(model, tokens, SECONDS), theirs?.total_price ?? NaN);
    }
  }
});

Deno.test("tokens written to a cache have their own prices, for five minutes and for an hour", () => {
  const tokens = { ...NOTHING, cache_write: 300_000 / 2 };
  close(estimatedCost("claude-haiku-4-5", tokens, SECONDS), 0.1875);
  close(estimatedCost("claude-haiku-4-5", { ...tokens, cache_write_1h: 50_000 }, SECONDS), 0.225);
});

Deno.test("a model is found by the names that clouds and routers give it", () => {
  const tokens = { ...NOTHING, input: 1e6 / 10 };
  const names = [
    "claude-sonnet-4-5",
    "anthropic/claude-sonnet-4.5",
    "openrouter/anthropic/claude-sonnet-4.5",
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
  ];
  for (const name of names) close(estimatedCost(name, tokens, SECONDS), 0.3);
});

Deno.test("no price is made up: of unknown models, of none, of a faster service", () => {
  for (const model of ["my-own-model", "", "claude-opus-4-6-fast"]) {
    assert.equal(estimatedCost(model, { ...NOTHING, input: 10 }, SECONDS), undefined, model);
  }
});

Deno.test("the table's date is that of the package's release", () => {
  assert.match(PRICES_AS_OF, /^\d{4}-\d{2}-\d{2}$/);
});
