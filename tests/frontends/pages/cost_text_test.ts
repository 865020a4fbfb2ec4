import assert from "node:assert/strict";
import { costText } from "../../../lib/frontends/pages/cost_text.ts";

Deno.test("a cost on a page has words, cents and thousands", () => {
  const cases = [
    [{}, ""],
    [{ cost_usd: 0.75 }, "$0.75"],
    [{ cost_usd: 0.001, cost_estimated: true as const }, "~<1¢"],
    [{ cost_usd: 0.001 }, "<1¢"],
    [{ cost_usd: 1234.5, cost_estimated: true as const }, "~$1,234.50"],
    [
      { cost_usd: 598.94, cost_estimated: true as const, unknown_models: ["m"] },
      "at least $598.94",
    ],
    [{ unknown_models: ["m"] }, "?"],
  ] as const;
  for (const [sum, text] of cases) {
    const { unknown_models, ...rest } = { unknown_models: undefined, ...sum };
    assert.equal(
      costText(
        unknown_models === undefined ? rest : { ...rest, unknown_models: [...unknown_models] },
      ),
      text,
    );
  }
});
