/** Adds up the models, tokens and cost of each turn, from one prompt to the next. */
import type { LogEvent } from "../event/envelope.ts";
import { addCost, type CostSum } from "./cost_sum.ts";
import type { Estimate } from "./priced_tokens.ts";
import { onePerKey, type ResponseUsage, responseUsage, type UsageState } from "./response_usage.ts";
import { addUsage, countedTokens } from "./token_usage.ts";
import { isUnseen } from "./unseen_message.ts";
import { UsageRows } from "./usage_rows.ts";
import type { TokenUsage } from "../event/payload.ts";

export interface TurnTotal extends CostSum {
  /** Number of the turn's last event. */
  seq: number;
  /** Names of the models that answered, in order. Answers without a model's name are left out. */
  models: string[];
  usage: TokenUsage;
}

/** Keeps only the responses of the current turn in memory. */
export class TurnUsage {
  readonly #projection = responseUsage();
  readonly #estimate: Estimate | undefined;
  #state: UsageState = this.#projection.initial();
  #last_seq = 0;
  #is_partial: boolean;

  /**
   * @param estimate Estimates costs that were not recorded. By default, these costs are unknown.
   * @param amid_turn True if the first event is within a turn. This turn's usage is never returned.
   */
  constructor(estimate?: Estimate, amid_turn = false) {
    this.#estimate = estimate;
    this.#is_partial = amid_turn;
  }

  /** Processes an event. If the event begins a turn, returns the usage of the previous turn. */
  take(event: LogEvent): TurnTotal | undefined {
    const begins = event.form === "known" && event.kind === "user_message" &&
      !isUnseen(event.payload);
    const ended = begins ? this.end() : undefined;
    if (begins) this.#is_partial = false;
    this.#state = this.#projection.apply(this.#state, event);
    this.#last_seq = event.seq;
    return ended;
  }

  /** Ends the turn. Returns its usage, or undefined if it has none or its start was not seen. */
  end(): TurnTotal | undefined {
    const responses = onePerKey(this.#state.responses.splice(0));
    if (this.#is_partial) return undefined;
    const rows = new UsageRows();
    for (const response of responses) {
      const { model, usage, cost_usd } = response;
      const estimated = cost_usd === undefined ? this.#estimated(response) : undefined;
      rows.add("", model, usage, cost_usd ?? estimated, estimated !== undefined);
    }
    const total: TurnTotal = { seq: this.#last_seq, models: [], usage: {} };
    for (const row of rows.list()) {
      if (row.model !== "") total.models.push(row.model);
      addUsage(total.usage, row.usage);
      addCost(total, row);
    }
    // What is estimated of no tokens says nothing.
    const is_recorded = total.cost_usd !== undefined && !total.cost_estimated;
    return countedTokens(total.usage) > 0 || is_recorded ? total : undefined;
  }

  #estimated({ model, usage, time, cache_write_1h = 0 }: ResponseUsage): number | undefined {
    const { input = 0, output = 0, cache_read = 0, cache_write = 0 } = usage;
    const seconds = time === undefined ? 0 : Date.parse(time) / 1000;
    const tokens = { input, output, cache_read, cache_write, cache_write_1h };
    return this.#estimate?.(model, tokens, Number.isFinite(seconds) ? seconds : 0);
  }
}
