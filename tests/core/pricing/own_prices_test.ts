import assert from "node:assert/strict";
import { estimatedCost } from "../../../lib/core/pricing/price_table.ts";
import { ownCost, parseOwnPrices } from "../../../lib/core/pricing/own_prices.ts";

const TOKENS = { input: 1e6, output: 1e6, cache_read: 1e6, cache_write: 2e6, cache_write_1h: 1e6 };

Deno.test("own prices are dollars a million tokens, of a cache those of the input by default", () => {
  const prices = parseOwnPrices('{"m": {"input": 2, "output": 10}}', "p.json");
  const price = prices.get("m");
  assert.ok(price !== undefined);
  assert.equal(ownCost(price, TOKENS), 2 + 10 + 2 + 4);
  assert.equal(
    ownCost({ ...price, cache_read: 0.2, cache_write: 3, cache_write_1h: 4 }, TOKENS),
    2 + 10 + 0.2 + 3 + 4,
  );
});

Deno.test("an example of own prices has those of a list: a fast service costs twice the usual", async () => {
  const page = await Deno.readTextFile(new URL("../../../.github/REFERENCE.md", import.meta.url));
  const [example = ""] = /^\{ "claude-.*\}$/m.exec(page) ?? [];
  const prices = [...parseOwnPrices(example, "p.json")];
  assert.ok(prices.length > 0);
  for (const [model, price] of prices) {
    const usual = estimatedCost(
      model.replace(/-fast$/, ""),
      { ...TOKENS, cache_write_1h: 0 },
      1.79e9,
    );
    const [cost] = [ownCost(price, { ...TOKENS, cache_write_1h: 0 })];
    // The list prices of Anthropic's fast mode of Opus 4.8 (BerriAI/litellm pull request 38378).
    assert.equal(cost, (model.endsWith("-fast") ? 2 : 1) * (usual ?? NaN));
  }
});

Deno.test("faults in own prices are named", () => {
  const wrong: [string, RegExp][] = [
    ["{", /not valid JSON: p\.json$/],
    ["[]", /one JSON object/],
    ['{"m": 3}', /"m" must be an object/],
    ['{"m": {"input": 1}}', /"m" needs output, a price in dollars/],
    ['{"m": {"input": -1, "output": 1}}', /"m" needs input, a price in dollars/],
    ['{"m": {"input": 1, "output": 1, "ouput": 1}}', /"m" has an unknown field "ouput"/],
  ];
  for (const [text, message] of wrong) {
    assert.throws(() => parseOwnPrices(text, "p.json"), { code: "invalid-config", message });
  }
});
