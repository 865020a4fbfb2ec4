/**
 * The table of prices, loaded when a cost is to be estimated.
 */
import type { Estimate } from "../../projection/priced_tokens.ts";

/** Prices of models as they were on a day. */
export interface Prices {
  /** The day on which the table was released, `2026-09-23`. */
  as_of: string;
  /** Estimates what a response cost in US dollars; undefined where the model's price is not known. */
  estimate: Estimate;
}

/**
 * Loads the table of prices that comes with the program. Nothing is fetched.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { loadPrices } from "@reprise/reprise/library";
 *
 * const { estimate } = await loadPrices();
 * const tokens = { input: 1000, output: 0, cache_read: 0, cache_write: 0, cache_write_1h: 0 };
 * assert.equal(estimate("claude-sonnet-4-5", tokens, 1_763_000_000), 0.003);
 * assert.equal(estimate("no-such-model", tokens, 1_763_000_000), undefined);
 * ```
 */
export async function loadPrices(): Promise<Prices> {
  const { estimatedCost, PRICES_AS_OF } = await import("../../pricing/price_table.ts");
  return { as_of: PRICES_AS_OF, estimate: estimatedCost };
}
