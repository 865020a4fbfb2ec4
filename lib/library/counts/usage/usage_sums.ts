/** Turns sums of responses into usage by day and model, and into the usage of one session. */
import type { TokenUsage } from "../../../core/event/payload.ts";
import { type CostSum, costSumOf } from "../../../core/projection/cost_sum.ts";
import type { Estimate } from "../../../core/projection/priced_tokens.ts";
import { added, addUsage } from "../../../core/projection/token_usage.ts";
import type { UsageRow } from "../../../core/projection/usage_rows.ts";
import { COUNTS, DOLLAR, type UsageHead } from "./read_usage.ts";

/** The sum of responses of one session, thread, model and time interval with the same price. */
export interface UsageSum extends Record<typeof COUNTS[number], number | null> {
  /** The index of the thread's id in the session's list of threads. */
  thread: number;
  model: number;
  /** Index of the time interval: seconds since 1970 divided by `step_seconds`. Null if unknown. */
  time: number | null;
  /** 1 if the agent recorded no cost, else 0. */
  unrecorded: number;
  /** 1 if the responses count in another session, else 0. */
  elsewhere: number;
  messages: number;
  /** Number of messages that used tokens. */
  spending: number;
  cache_write_1h: number;
  /** Recorded cost in billionths of a dollar. */
  cost: number;
  /** Checksum of the summed responses. All sums together give the session's checksum. */
  digest: number;
}

/** Options for adding up responses by day. */
export interface SessionRowsOptions {
  /** Returns the day of a time in milliseconds, such as `2026-11-21`. */
  dayOf: (milliseconds: number) => string;
  /**
   * Length of a time interval in seconds. `dayOf` is called only with the start of an interval, so
   * an interval must lie within a day. @default {900}
   */
  step_seconds?: number | undefined;
  /** Estimates costs that were not recorded. If absent, only recorded costs count. */
  estimate?: Estimate | undefined;
}

/** Seconds in a quarter of an hour. The offset of each time zone from UTC is a multiple of this. */
export const QUARTER_SECONDS = 900;

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
    // An estimate for no tokens says nothing.
    if (sum.spending === 0) return undefined;
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
  /** The tokens by kind. `input` excludes tokens that were read from a cache. */
  usage: TokenUsage;
  /** The main thread's share. Absent if the session has no other thread. */
  main?: Spent;
}

/** Adds up all responses of a session, including copies that another session already counts. */
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

/**
 * Returns the counts to store for a session. Leaves out `usage` if no tokens were used. Otherwise a
 * fork without tokens of its own would hide the usage from its parent session.
 */
export function rowCounts({ usage, ...cost }: Spent): Partial<Spent> {
  return Object.keys(usage).length > 0 ? { usage, ...cost } : cost;
}

export function utcDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
