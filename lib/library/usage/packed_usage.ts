/**
 * Packs the responses of one session, each once, to cache them while its files do not change. They
 * are rows of 32-bit numbers: 100,000 responses take 5 MB and need no parsing.
 */
import type { ResponseUsage } from "../../projection/response_usage.ts";
import type { SessionWork } from "../../projection/session_work.ts";
import { countedTokens } from "../../projection/token_usage.ts";
import { hashInto } from "../catalogue/session_state.ts";

/** The responses of one session. */
export interface PackedUsage {
  /** The names that rows refer to. */
  models: readonly string[];
  /** Ids of threads that rows refer to; the main one, first, is empty. */
  threads: readonly string[];
  /** {@linkcode ROW_FIELDS} numbers a response. */
  rows: Uint32Array;
  /** US dollars a response, NaN where none were recorded; empty where none were at all. */
  costs: Float64Array;
  /** Calls and changes of files; absent where no one asked for them. */
  work?: SessionWork;
}

/** The fields of a row. */
export const ROW = {
  /** Hashes of the response's key, in this order; both 0 where it has none. */
  KEY_LOW: 0,
  KEY_HIGH: 1,
  /** Seconds since 1970; 0 where the time is not known. */
  SECONDS: 2,
  MODEL: 3,
  THREAD: 4,
  /** A bit for each token count that was recorded. */
  KNOWN: 5,
  INPUT: 6,
  OUTPUT: 7,
  CACHE_READ: 8,
  CACHE_WRITE: 9,
  REASONING: 10,
  CACHE_WRITE_1H: 11,
} as const;
/** Numbers in a row. */
export const ROW_FIELDS = 12;

/** No session took more; a sum that an agent kept for a whole session might. */
const MOST = 0xffffffff;
/** The counts of a row, from `INPUT` on. */
export const COUNTS = ["input", "output", "cache_read", "cache_write", "reasoning"] as const;

/** Packs the responses of a session: of the records of one key the one with the most tokens. */
export function packUsage(records: readonly ResponseUsage[]): PackedUsage {
  const responses = records.some(({ sidechain }) => sidechain)
    ? withoutCopies(withFinalCounts(records))
    : records;
  const packing = new Packing(responses.length);
  for (const response of responses) packing.take(response);
  return packing.result();
}

/** Packs responses one by one. */
class Packing {
  readonly #models = new Names();
  readonly #threads = new Names("");
  readonly #rows: Uint32Array;
  readonly #costs: Float64Array;
  /** Open addressing: 1 + the place of a response, by its key. */
  readonly #table: Uint32Array;
  #count = 0;
  #hasCosts = false;
  #day = "";
  #daySeconds = 0;

  constructor(most: number) {
    this.#rows = new Uint32Array(ROW_FIELDS * most);
    this.#costs = new Float64Array(most).fill(NaN);
    this.#table = new Uint32Array(1 << Math.ceil(Math.log2(2 * most + 2)));
  }

  take(response: ResponseUsage): void {
    const at = ROW_FIELDS * this.#count;
    if (response.key === undefined) {
      this.#write(response, this.#count++);
      return;
    }
    hashInto(this.#rows, at + ROW.KEY_LOW, response.key);
    // Both 0 would say that there is no key.
    const high = ((this.#rows[at + ROW.KEY_HIGH] ?? 0) | 1) >>> 0;
    this.#rows[at + ROW.KEY_HIGH] = high;
    const slot = this.#slotOf(this.#rows[at + ROW.KEY_LOW] ?? 0, high);
    const known = (this.#table[slot] as number) - 1;
    if (known < 0) {
      this.#table[slot] = this.#count + 1;
      this.#write(response, this.#count++);
    } else if (countedTokens(response.usage) > tokensOf(this.#rows, known)) {
      this.#write(response, known);
    }
  }

  #slotOf(low: number, high: number): number {
    const mask = this.#table.length - 1;
    let slot = low & mask;
    for (;;) {
      const known = (this.#table[slot] as number) - 1;
      const at = ROW_FIELDS * known;
      if (known < 0) return slot;
      if (this.#rows[at + ROW.KEY_HIGH] === high && this.#rows[at] === low) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #write(response: ResponseUsage, place: number): void {
    const { time = "", model, thread = "", usage, cache_write_1h = 0, cost_usd } = response;
    const rows = this.#rows;
    const at = ROW_FIELDS * place;
    rows[at + ROW.SECONDS] = this.#seconds(time);
    rows[at + ROW.MODEL] = this.#models.index(model);
    rows[at + ROW.THREAD] = this.#threads.index(thread);
    let known = 0;
    for (let bit = 0; bit < COUNTS.length; bit++) {
      const count = usage[COUNTS[bit] as typeof COUNTS[number]];
      if (count !== undefined) known |= 1 << bit;
      rows[at + ROW.INPUT + bit] = Math.min(Math.max(0, Math.round(count ?? 0)), MOST);
    }
    rows[at + ROW.KNOWN] = known;
    rows[at + ROW.CACHE_WRITE_1H] = cache_write_1h;
    this.#costs[place] = cost_usd ?? NaN;
    if (cost_usd !== undefined) this.#hasCosts = true;
  }

  /** Seconds since 1970; 0 where there is no time. Most times are of the same day as the last. */
  #seconds(time: string): number {
    if (time.length !== ISO_LENGTH || !time.endsWith("Z")) return parsedSeconds(time);
    const day = time.slice(0, DAY_LENGTH);
    if (day !== this.#day) {
      this.#day = day;
      this.#daySeconds = parsedSeconds(`${day}T00:00:00Z`);
    }
    const clock = 3600 * twoDigits(time, 11) + 60 * twoDigits(time, 14) + twoDigits(time, 17);
    return this.#daySeconds === 0 || Number.isNaN(clock)
      ? parsedSeconds(time)
      : this.#daySeconds + clock;
  }

  result(): PackedUsage {
    return {
      models: this.#models.list,
      threads: this.#threads.list,
      rows: this.#rows.slice(0, ROW_FIELDS * this.#count),
      costs: this.#hasCosts ? this.#costs.slice(0, this.#count) : new Float64Array(0),
    };
  }
}

/** `2026-11-21T20:21:53.123Z` */
const ISO_LENGTH = 24;
const DAY_LENGTH = 10;
const ZERO = 0x30;

function twoDigits(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - ZERO, text.charCodeAt(at + 1) - ZERO];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : NaN;
}

function parsedSeconds(time: string): number {
  return Math.max(0, Math.floor(Date.parse(time) / 1000) || 0);
}

/** Returns the number of tokens in a row. Reasoning is a part of the output. */
export function tokensOf(rows: Uint32Array, index: number): number {
  const at = ROW_FIELDS * index;
  return (rows[at + ROW.INPUT] ?? 0) + (rows[at + ROW.OUTPUT] ?? 0) +
    (rows[at + ROW.CACHE_READ] ?? 0) + (rows[at + ROW.CACHE_WRITE] ?? 0);
}

function isBetter(record: ResponseUsage, known: ResponseUsage): boolean {
  if (record.sidechain !== known.sidechain) return known.sidechain === true;
  return countedTokens(record.usage) > countedTokens(known.usage);
}

/**
 * Takes the larger counts of a side talk's record of the same response. The session's file may hold
 * an unfinished record, and the side talk the final one.
 */
function withFinalCounts(records: readonly ResponseUsage[]): ResponseUsage[] {
  const finals = new Map<string, ResponseUsage>();
  for (const record of records) {
    if (!record.sidechain || record.key === undefined) continue;
    const known = finals.get(record.key);
    if (known === undefined || isBetter(record, known)) finals.set(record.key, record);
  }
  return records.map((record) => {
    const final = record.sidechain ? undefined : finals.get(record.key ?? "");
    if (final === undefined || countedTokens(final.usage) <= countedTokens(record.usage)) {
      return record;
    }
    const { sidechain: _side, thread: _thread, ...counts } = final;
    return record.thread === undefined ? counts : { ...counts, thread: record.thread };
  });
}

/**
 * Leaves out records that a side talk repeats. The session itself has them under the same key, or
 * their messages under another request id.
 */
function withoutCopies(records: readonly ResponseUsage[]): ResponseUsage[] {
  const repeated = new Set(
    records.flatMap(({ sidechain, key }) => sidechain && key !== undefined ? [messageOf(key)] : []),
  );
  const best = new Map<string, ResponseUsage>();
  for (const record of records) {
    const message = messageOf(record.key ?? "");
    if (record.key === undefined || !repeated.has(message)) continue;
    const known = best.get(message);
    if (known === undefined || isBetter(record, known)) best.set(message, record);
  }
  return records.filter((record) =>
    !record.sidechain || record.key === undefined || best.get(messageOf(record.key)) === record
  );
}

function messageOf(key: string): string {
  return key.slice(0, key.indexOf("\n"));
}

/** Names, each with its index. */
class Names {
  readonly list: string[];
  readonly #indexes: Map<string, number>;

  constructor(...names: string[]) {
    this.list = names;
    this.#indexes = new Map(names.map((name, index) => [name, index]));
  }

  index(name: string): number {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    this.#indexes.set(name, this.list.length);
    this.list.push(name);
    return this.list.length - 1;
  }
}
