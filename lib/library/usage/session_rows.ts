/**
 * What sessions used, by day and model, from responses that are counted once among all of them.
 */
import type { Estimate } from "../../projection/priced_tokens.ts";
import { type UsageRow, UsageRows } from "../../projection/usage_rows.ts";
import type { CountedUsage } from "./counted_usage.ts";
import { type PackedUsage, ROW, ROW_FIELDS, unpackedTokens } from "./packed_usage.ts";

/** How to add up responses. */
export interface SessionRowsOptions {
  /** The day of a time in milliseconds, as `2026-11-21`. */
  dayOf: (milliseconds: number) => string;
  /** Without it only recorded costs are known. */
  estimate?: Estimate;
}

/** Zones differ from UTC by a multiple of this, so that each stretch lies within one day. */
const QUARTER_SECONDS = 900;

/** Adds up the counted responses of sessions. */
export class SessionRows {
  readonly #counted: CountedUsage;
  readonly #options: SessionRowsOptions;
  readonly #days = new Map<number, string>();

  /** @param counted All sessions, already added. */
  constructor(counted: CountedUsage, options: SessionRowsOptions) {
    this.#counted = counted;
    this.#options = options;
  }

  /** The rows of one session. */
  of(session: number): UsageRow[] {
    const usage = this.#counted.usage(session);
    const sums = new UsageRows();
    for (const index of this.#counted.counted(session)) {
      const at = ROW_FIELDS * index;
      const seconds = usage.rows[at + ROW.SECONDS] ?? 0;
      const model = usage.models[usage.rows[at + ROW.MODEL] ?? 0] ?? "";
      const recorded = usage.costs[index] ?? NaN;
      const isRecorded = !Number.isNaN(recorded);
      const cost = isRecorded ? recorded : this.#estimated(usage, at, model, seconds);
      sums.add(this.#day(seconds), model, unpackedTokens(usage.rows, index), cost, !isRecorded);
    }
    return sums.list();
  }

  #estimated(
    { rows }: PackedUsage,
    at: number,
    model: string,
    seconds: number,
  ): number | undefined {
    return this.#options.estimate?.(model, {
      input: rows[at + ROW.INPUT] ?? 0,
      output: rows[at + ROW.OUTPUT] ?? 0,
      cache_read: rows[at + ROW.CACHE_READ] ?? 0,
      cache_write: rows[at + ROW.CACHE_WRITE] ?? 0,
      cache_write_1h: rows[at + ROW.CACHE_WRITE_1H] ?? 0,
    }, seconds);
  }

  #day(seconds: number): string {
    if (seconds === 0) return "";
    const quarter = Math.floor(seconds / QUARTER_SECONDS);
    let day = this.#days.get(quarter);
    if (day === undefined) {
      day = this.#options.dayOf(quarter * QUARTER_SECONDS * 1000);
      this.#days.set(quarter, day);
    }
    return day;
  }
}
