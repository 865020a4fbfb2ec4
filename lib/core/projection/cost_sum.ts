/**
 * Sums recorded or estimated costs of responses. A sum names the models whose costs it leaves out.
 */
import { added } from "./token_usage.ts";
import type { UsageRow } from "./usage_rows.ts";

/** A sum of costs. It marks unknown and estimated costs. */
export interface CostSum {
  /** US dollars; absent if no cost is known. */
  cost_usd?: number;
  /** True if a part of the cost was estimated from a table of prices, not recorded. */
  cost_estimated?: true;
  /** Models whose tokens are not in the sum, because they have no known price; sorted. */
  unknown_models?: readonly string[];
}

export function addCost(
  sum: CostSum,
  { model, cost_usd, cost_estimated, unpriced }: UsageRow,
): void {
  if (cost_usd !== undefined) sum.cost_usd = added(sum.cost_usd, cost_usd);
  if (cost_estimated) sum.cost_estimated = true;
  if (unpriced === undefined) return;
  const known = sum.unknown_models ?? [];
  if (!known.includes(model)) sum.unknown_models = [...known, model].sort();
}

export function costSumOf(rows: readonly UsageRow[]): CostSum {
  const sum: CostSum = {};
  for (const row of rows) addCost(sum, row);
  return sum;
}
