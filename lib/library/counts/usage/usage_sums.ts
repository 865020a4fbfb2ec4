/** Turns sums of responses into usage by day and model, and into what a session took by itself. */
import type { TokenUsage } from "../../../core/event/payload.ts";
import { type CostSum, costSumOf } from "../../../core/projection/cost_sum.ts";
import type { Estimate } from "../../../core/projection/priced_tokens.ts";
import { added, addUsage } from "../../../core/projection/token_usage.ts";
import type { UsageRow } from "../../../core/projection/usage_rows.ts";
import { COUNTS, DOLLAR, type UsageHead } from "./read_usage.ts";

/** The responses of one session, thread and model in a stretch of time, priced alike. */
export interface UsageSum extends Record<typeof COUNTS[number], number | null> {
  /** Indexes of names. */
  thread: number;
  model: number;
  /** The stretch of time, counted from 1970; null where the time is not known. */
  time: number | null;
  /** 1 where no cost was recorded. */
  unrecorded: number;
  /** 1 where another session has the responses, or has them better. */
  elsewhere: number;
  messages: number;
  /** Messages that took tokens. */
  spending: number;
  cache_write_1h: number;
  /** Billionths of a dollar. */
  cost: number;
  /** A part of the checksum. */
  digest: number;
}

/** Options to add up responses. */
export interface SessionRowsOptions {
  /** The day of a time in milliseconds, as `2026-11-21`. */
  dayOf: (milliseconds: number) => string;
  /** Seconds that lie within one day: `dayOf` is asked for their start alone. @default {900} */
  step_seconds?: number | undefined;
  /** Without it only recorded costs are known. */
  estimate?: Estimate | undefined;
}

/** Zones differ from UTC by a multiple of this. */
export const QUARTER_SECONDS = 900;

/** Adds up the sums of sessions by day and model. */
export class DayRows {
  readonly #options: SessionRowsOptions;
  readonly #step: number;
  readonly #days = new Map<number, string>();

  constructor(options: SessionRowsOptions) {
    this.#options = options;
    this.#step = options.step_seconds ?? QUARTER_SECONDS;
  }

  /** Returns the rows of one session, in the order of their first responses. */
  of({ models }: UsageHead, sums: readonly UsageSum[]): UsageRow[] {
    const rows: UsageRow[] = [];
    for (const sum of sums) {
      const day = this.#day(sum.time);
      const model = models[sum.model] ?? "";
      let row = rows.find((one) => one.day === day && one.model === model);
      if (row === undefined) rows.push(row = { day, model, messages: 0, usage: {} });
      this.#add(row, sum);
    }
    return rows;
  }

  #add(row: UsageRow, sum: UsageSum): void {
    row.messages += sum.messages;
    const usage: TokenUsage = {};
    // In the order of the columns, whichever count comes first.
    for (const count of COUNTS) {
      const [known, tokens] = [row.usage[count], sum[count]];
      if (known !== undefined || tokens !== null) usage[count] = added(known, tokens ?? 0);
    }
    row.usage = usage;
    const cost = sum.unrecorded === 0 ? sum.cost / DOLLAR : this.#estimated(row.model, sum);
    if (cost === undefined) {
      if (sum.spending > 0) row.unpriced = (row.unpriced ?? 0) + sum.spending;
      return;
    }
    row.cost_usd = added(row.cost_usd, cost);
    if (sum.unrecorded === 1) row.cost_estimated = true;
  }

  #estimated(model: string, sum: UsageSum): number | undefined {
    return this.#options.estimate?.(model, {
      input: sum.input ?? 0,
      output: sum.output ?? 0,
      cache_read: sum.cache_read ?? 0,
      cache_write: sum.cache_write ?? 0,
      cache_write_1h: sum.cache_write_1h,
      responses: sum.messages,
    }, (sum.time ?? 0) * this.#step);
  }

  #day(time: number | null): string {
    if (time === null) return "";
    let day = this.#days.get(time);
    if (day === undefined) {
      this.#days.set(time, day = this.#options.dayOf(time * this.#step * 1000));
    }
    return day;
  }
}

/** Tokens and cost of a session, or of one of its threads. */
export interface Spent extends CostSum {
  /** Tokens; `input` never includes what came from a cache. */
  usage: TokenUsage;
  /** The part of a session's main thread, if other threads took something too. */
  main?: Spent;
}

/** Adds up what a session took by itself, whatever other sessions hold. */
export function spentIn(
  head: UsageHead,
  sums: readonly UsageSum[],
  options: Pick<SessionRowsOptions, "estimate" | "step_seconds">,
): Spent {
  const rows = new DayRows({ ...options, dayOf: () => "" });
  const spentBy = (some: readonly UsageSum[]): Spent => {
    const usage: TokenUsage = {};
    const added_up = rows.of(head, some);
    for (const row of added_up) addUsage(usage, row.usage);
    return { usage, ...costSumOf(added_up) };
  };
  const all = spentBy(sums);
  return head.threads.length === 1
    ? all
    : { ...all, main: spentBy(sums.filter(({ thread }) => thread === 0)) };
}

/** Returns the counts of a row. A fork that took nothing yet keeps the tokens of its parent. */
export function rowCounts({ usage, ...cost }: Spent): Partial<Spent> {
  return Object.keys(usage).length > 0 ? { usage, ...cost } : cost;
}

export function utcDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
