/** Adds up responses by day and model. */
import type { TokenUsage } from "../event/payload.ts";
import { added, addUsage, countedTokens } from "./token_usage.ts";

/** The usage of one model on one day. */
export interface UsageRow {
  /** The day, such as `2026-11-21`; empty if the events have no time. */
  day: string;
  /** The model's name; empty if not recorded. */
  model: string;
  /** Number of responses. Several records of one response count once. */
  messages: number;
  /** Sum of the tokens of all responses. A count that was never recorded is absent. */
  usage: TokenUsage;
  /** US dollars of the responses whose cost is known; absent if there are none. */
  cost_usd?: number;
  /** True if a part of the cost was estimated from a table of prices, not recorded. */
  cost_estimated?: true;
  /** Number of responses that have tokens but no known cost; absent if there are none. */
  unpriced?: number;
}

export class UsageRows {
  readonly #rows = new Map<string, Map<string, UsageRow>>();

  /** Adds one response. An undefined `cost_usd` means that the cost is unknown. */
  add(
    day: string,
    model: string,
    usage: TokenUsage,
    cost_usd: number | undefined,
    estimated = false,
  ): void {
    let models = this.#rows.get(day);
    if (models === undefined) this.#rows.set(day, models = new Map());
    let row = models.get(model);
    if (row === undefined) models.set(model, row = { day, model, messages: 0, usage: {} });
    row.messages++;
    addUsage(row.usage, usage);
    if (cost_usd === undefined) {
      if (countedTokens(usage) > 0) row.unpriced = (row.unpriced ?? 0) + 1;
      return;
    }
    row.cost_usd = added(row.cost_usd, cost_usd);
    if (estimated) row.cost_estimated = true;
  }

  /** Returns the rows grouped by day, in the order in which days and models first occurred. */
  list(): UsageRow[] {
    return [...this.#rows.values()].flatMap((models) => [...models.values()]);
  }
}
