/** Tokens and costs as a person reads them. */
import type { TokenUsage } from "../../core/event/payload.ts";
import type { CostSum } from "../../core/projection/cost_sum.ts";
import { scaleNumber } from "./byte_size.ts";
import { sanitizeLine } from "./sanitize.ts";

/** Writes a number of tokens: `950`, `12.3k`, `1.2M`. */
export function formatTokens(tokens: number): string {
  return scaleNumber(tokens, ["", "k", "M", "G"]);
}

const HALF_CENT = 0.005;

/**
 * Returns a cost: `$0.75` if recorded, `~$0.75` if partly estimated. `~$0.75 + ?` if some prices
 * are unknown, `?` if all are. Empty if nothing was used.
 */
export function formatCost({ cost_usd, cost_estimated, unknown_models = [] }: CostSum): string {
  const unknown = unknown_models.length > 0;
  if (cost_usd === undefined) return unknown ? "?" : "";
  const dollars = cost_usd > 0 && cost_usd < HALF_CENT ? "<$0.01" : `$${cost_usd.toFixed(2)}`;
  return `${cost_estimated ? "~" : ""}${dollars}${unknown ? " + ?" : ""}`;
}

/** Writes tokens and cost in one line: `12.3k in, 4.5M cached, 1.2k out, ~$1.20`. */
export function describeUsage(usage: TokenUsage, cost: CostSum = {}): string {
  const { input, output, cache_read, cache_write } = usage;
  const cached = cache_read === undefined && cache_write === undefined
    ? undefined
    : (cache_read ?? 0) + (cache_write ?? 0);
  const counts = [[input, "in"], [cached, "cached"], [output, "out"]] as const;
  const parts = counts.flatMap(([count, name]) =>
    count === undefined || (name === "cached" && count === 0)
      ? []
      : [`${formatTokens(count)} ${name}`]
  );
  // An estimate for no tokens says nothing.
  const text = parts.length === 0 && cost.cost_estimated ? "" : formatCost(cost);
  return [...parts, ...(text === "" ? [] : [text])].join(", ");
}

export function costNotes(
  { cost_estimated, unknown_models = [] }: CostSum,
  prices_as_of: string,
): string[] {
  const names = unknown_models.map((model) => sanitizeLine(model) || "a model without a name");
  return [
    ...(cost_estimated ? [`~ estimated from list prices of ${prices_as_of}`] : []),
    ...(names.length > 0
      ? [
        `? = no price is known for ${names.join(", ")} (prices as of ` +
        `${prices_as_of}). To add prices: reprise config set prices.file PATH`,
      ]
      : []),
  ];
}
