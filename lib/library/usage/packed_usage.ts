/**
 * The responses of one session in few bytes, each once: what is kept of a session whose files did not
 * change. Numbers lie in rows of 32 bits, so that 100,000 responses take 5 MB and are read as they lie.
 */
import type { ResponseUsage } from "../../projection/response_usage.ts";
import { countedTokens } from "../../projection/token_usage.ts";

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
}

/** What stands where in a row. */
export const ROW = {
  /** Hash of the response's key; both 0 where it has none. */
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
export function packUsage(records: Iterable<ResponseUsage>): PackedUsage {
  const responses = [...eachOnce(records)];
  const models = new Names();
  const threads = new Names("");
  const rows = new Uint32Array(ROW_FIELDS * responses.length);
  const recorded = responses.some(({ cost_usd }) => cost_usd !== undefined);
  const costs = new Float64Array(recorded ? responses.length : 0).fill(NaN);
  for (const [index, response] of responses.entries()) {
    const { key, time, model, thread = "", usage, cache_write_1h = 0, cost_usd } = response;
    const row = rows.subarray(ROW_FIELDS * index, ROW_FIELDS * (index + 1));
    if (key !== undefined) hashInto(row, key);
    row[ROW.SECONDS] = Math.max(0, Math.floor(Date.parse(time ?? "") / 1000) || 0);
    row[ROW.MODEL] = models.index(model);
    row[ROW.THREAD] = threads.index(thread);
    for (const [bit, field] of COUNTS.entries()) {
      const count = usage[field];
      if (count === undefined) continue;
      row[ROW.KNOWN] = (row[ROW.KNOWN] ?? 0) | 1 << bit;
      row[ROW.INPUT + bit] = Math.min(Math.max(0, Math.round(count)), MOST);
    }
    row[ROW.CACHE_WRITE_1H] = cache_write_1h;
    if (cost_usd !== undefined) costs[index] = cost_usd;
  }
  return { models: models.list, threads: threads.list, rows, costs };
}

/** All tokens in a row that are counted once: reasoning is a part of the output. */
export function tokensOf(rows: Uint32Array, index: number): number {
  const at = ROW_FIELDS * index;
  return (rows[at + ROW.INPUT] ?? 0) + (rows[at + ROW.OUTPUT] ?? 0) +
    (rows[at + ROW.CACHE_READ] ?? 0) + (rows[at + ROW.CACHE_WRITE] ?? 0);
}

/** Of the records of one key the best one, and no copies of side talks. */
function eachOnce(records: Iterable<ResponseUsage>): Iterable<ResponseUsage> {
  const kept: ResponseUsage[] = [];
  const places = new Map<string, number>();
  let sidechains = 0;
  for (const record of records) {
    if (record.sidechain) sidechains++;
    const place = record.key === undefined ? undefined : places.get(record.key);
    const known = place === undefined ? undefined : kept[place];
    if (place === undefined || known === undefined) {
      if (record.key !== undefined) places.set(record.key, kept.length);
      kept.push(record);
    } else if (isBetter(record, known)) kept[place] = record;
  }
  return sidechains === 0 ? kept : withoutCopies(kept);
}

function isBetter(record: ResponseUsage, known: ResponseUsage): boolean {
  if (record.sidechain !== known.sidechain) return known.sidechain === true;
  return countedTokens(record.usage) > countedTokens(known.usage);
}

/** A side talk may repeat a message of the session under a request id of its own. */
function withoutCopies(responses: readonly ResponseUsage[]): ResponseUsage[] {
  const best = new Map<string, ResponseUsage>();
  const repeated = new Set(
    responses.flatMap((one) => one.sidechain && one.key !== undefined ? [messageOf(one.key)] : []),
  );
  for (const response of responses) {
    if (response.key === undefined) continue;
    const message = messageOf(response.key);
    const known = best.get(message);
    if (!repeated.has(message)) continue;
    if (known === undefined || isBetter(response, known)) best.set(message, response);
  }
  return responses.filter((response) => {
    if (!response.sidechain || response.key === undefined) return true;
    return best.get(messageOf(response.key)) === response;
  });
}

function messageOf(key: string): string {
  return key.slice(0, key.indexOf("\n"));
}

/** Two hashes of a key, of 32 bits each (after cyrb53). */
function hashInto(row: Uint32Array, key: string): void {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  row[ROW.KEY_LOW] = low;
  // Both 0 would say that there is no key.
  row[ROW.KEY_HIGH] = high | 1;
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
