/** Usage of sessions by day and model. Each response is counted once among all of them. */
import type { TokenUsage } from "../../event/payload.ts";
import type { Estimate } from "../../projection/priced_tokens.ts";
import { added } from "../../projection/token_usage.ts";
import type { UsageRow } from "../../projection/usage_rows.ts";
import type { CountedUsage } from "./counted_usage.ts";
import { COUNTS, type PackedUsage, ROW, ROW_FIELDS, tokensOf } from "./packed_usage.ts";

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
const QUARTER_SECONDS = 900;
/** More models than a session has. */
const MOST_MODELS = 1 << 16;

interface Sum {
  row: UsageRow;
  known: number;
  /** In the order of {@linkcode COUNTS}. */
  counts: number[];
}

/** Adds up the counted responses of sessions. */
export class SessionRows {
  readonly #counted: CountedUsage;
  readonly #options: SessionRowsOptions;
  readonly #step: number;
  /** Days by the steps that lie in them, as indexes of `#names`. */
  readonly #days = new Map<number, number>();
  readonly #names: string[] = [""];
  /** Days by their names: the sessions of ten years have thousands. */
  readonly #indexes = new Map<string, number>();

  /** @param counted All sessions, already added. */
  constructor(counted: CountedUsage, options: SessionRowsOptions) {
    this.#counted = counted;
    this.#options = options;
    this.#step = options.step_seconds ?? QUARTER_SECONDS;
  }

  /** Returns the rows of one session, or of one of its threads. */
  of(session: number, thread?: string): UsageRow[] {
    const usage = this.#counted.usage(session);
    const only = thread === undefined ? undefined : usage.threads.indexOf(thread);
    const { rows } = usage;
    const sums: Sum[] = [];
    // Most sessions have one row, and need no table.
    let table: Map<number, Sum> | undefined;
    let last: { key: number; sum: Sum } | undefined;
    for (let at = 0, place = 0; at < rows.length; at += ROW_FIELDS, place++) {
      if (!this.#counted.isCounted(session, place)) continue;
      if (only !== undefined && rows[at + ROW.THREAD] !== only) continue;
      const model = rows[at + ROW.MODEL] as number;
      const key = this.#day(rows[at + ROW.SECONDS] as number) * MOST_MODELS + model;
      if (key !== last?.key) {
        if (last !== undefined) table ??= new Map([[last.key, last.sum]]);
        let sum = table?.get(key);
        if (sum === undefined) {
          sum = emptySum(this.#names[Math.floor(key / MOST_MODELS)], usage, model);
          sums.push(sum);
          table?.set(key, sum);
        }
        last = { key, sum };
      }
      this.#add(last.sum, usage, at, place);
    }
    return sums.map(finished);
  }

  #add(sum: Sum, { rows, costs }: PackedUsage, at: number, place: number): void {
    const { row, counts } = sum;
    row.messages++;
    sum.known |= rows[at + ROW.KNOWN] as number;
    for (let index = 0; index < COUNTS.length; index++) {
      counts[index] = (counts[index] as number) + (rows[at + ROW.INPUT + index] as number);
    }
    const recorded = costs[place] ?? NaN;
    const cost = Number.isNaN(recorded) ? this.#estimated(row.model, rows, at) : recorded;
    if (cost === undefined) {
      if (tokensOf(rows, place) > 0) row.unpriced = (row.unpriced ?? 0) + 1;
      return;
    }
    row.cost_usd = added(row.cost_usd, cost);
    if (Number.isNaN(recorded)) row.cost_estimated = true;
  }

  #estimated(model: string, rows: Uint32Array, at: number): number | undefined {
    return this.#options.estimate?.(model, {
      input: rows[at + ROW.INPUT] as number,
      output: rows[at + ROW.OUTPUT] as number,
      cache_read: rows[at + ROW.CACHE_READ] as number,
      cache_write: rows[at + ROW.CACHE_WRITE] as number,
      cache_write_1h: rows[at + ROW.CACHE_WRITE_1H] as number,
    }, rows[at + ROW.SECONDS] as number);
  }

  /** Returns the index of a day; 0 for an unknown time. */
  #day(seconds: number): number {
    if (seconds === 0) return 0;
    const step = Math.floor(seconds / this.#step);
    const known = this.#days.get(step);
    if (known !== undefined) return known;
    const name = this.#options.dayOf(step * this.#step * 1000);
    const index = this.#indexes.get(name) ?? this.#names.push(name) - 1;
    this.#indexes.set(name, index);
    this.#days.set(step, index);
    return index;
  }
}

function emptySum(day = "", { models }: PackedUsage, model: number): Sum {
  const row = { day, model: models[model] ?? "", messages: 0, usage: {} };
  return { row, known: 0, counts: [0, 0, 0, 0, 0] };
}

function finished({ row, known, counts }: Sum): UsageRow {
  const usage: TokenUsage = {};
  for (let bit = 0; bit < COUNTS.length; bit++) {
    if ((known & 1 << bit) !== 0) usage[COUNTS[bit] as typeof COUNTS[number]] = counts[bit] ?? 0;
  }
  row.usage = usage;
  return row;
}
