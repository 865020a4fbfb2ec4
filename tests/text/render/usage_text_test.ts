import assert from "node:assert/strict";
import {
  costNotes,
  describeUsage,
  formatCost,
  formatTokens,
} from "../../../lib/text/render/usage_text.ts";

Deno.test("formatTokens writes small numbers in full and large ones in thousands", () => {
  const cases: [number, string][] = [
    [0, "0"],
    [950, "950"],
    [1_000, "1.0k"],
    [12_345, "12.3k"],
    [123_456, "123k"],
    [1_234_567, "1.2M"],
  ];
  for (const [tokens, text] of cases) assert.equal(formatTokens(tokens), text);
});

Deno.test("a cost says whether it is estimated, and whether something is missing", () => {
  assert.equal(formatCost({}), "");
  assert.equal(formatCost({ cost_usd: 0 }), "$0.00");
  assert.equal(formatCost({ cost_usd: 0.004 }), "<$0.01");
  assert.equal(formatCost({ cost_usd: 10.25 }), "$10.25");
  assert.equal(formatCost({ cost_usd: 10.25, cost_estimated: true }), "~$10.25");
  assert.equal(formatCost({ cost_usd: 1, unknown_models: ["m"] }), "$1.00 + ?");
  assert.equal(formatCost({ unknown_models: ["m"] }), "?");
});

Deno.test("the marks of costs are explained, and names of models are harmless", () => {
  assert.deepEqual(costNotes({ cost_usd: 1 }, "2026-09-23"), []);
  const sum = { cost_usd: 1, cost_estimated: true, unknown_models: ["", "a\u001b[2J"] } as const;
  assert.deepEqual(costNotes(sum, "2026-09-23"), [
    "~ estimated from list prices of 2026-09-23",
    "? = no price is known for a model without a name, a\u241b[2J (prices as of 2026-09-23). " +
    "To add prices: reprise config set prices.file PATH",
  ]);
});

Deno.test("usage in one line tells what was cached apart", () => {
  const usage = { input: 12_345, output: 10, cache_read: 4_000_000, cache_write: 500_000 };
  const cost = { cost_usd: 1.2, cost_estimated: true } as const;
  assert.equal(describeUsage(usage, cost), "12.3k in, 4.5M cached, 10 out, ~$1.20");
  assert.equal(describeUsage({ input: 1, cache_read: 0 }), "1 in");
  assert.equal(describeUsage({}), "");
  assert.equal(describeUsage({}, { cost_usd: 0, cost_estimated: true }), "");
  assert.equal(describeUsage({}, { cost_usd: 0.5 }), "$0.50");
});
