/** Finds the position that a cursor names, in a session list or among search hits. Pure. */
import type { Summary } from "../../../core/projection/summary_row.ts";
import {
  type CursorQuery,
  digest,
  formatCursor,
  fromDigits,
  malformedCursor,
  parseCursor,
  toDigits,
} from "./cursor.ts";

type PlacedRow = Pick<Summary, "ref" | "updated_at">;

interface RowPlace {
  /** Index of the first row after the cursor. The number of rows if there is none. */
  row: number;
  /** Number of the row's characters that were already shown. */
  offset: number;
}

/** The text in a cursor for the time of a row that has no time. */
const NO_TIME = "-";
/** The text in a cursor for the position before the first row or hit. */
const START = "+";

/** Returns the cursor after a row, or for the start of the list if `row` is `undefined`. */
export function rowCursor(query: CursorQuery, row: PlacedRow | undefined, offset = 0): string {
  const moment = momentOf(row?.updated_at);
  const time = row === undefined ? START : moment === undefined ? NO_TIME : toDigits(moment);
  return formatCursor(query, [toDigits(offset), time, row?.ref ?? START]);
}

/**
 * Returns the position that a cursor names, even if the row before that position no longer exists.
 *
 * @throws {SyntaxError} As `parseCursor`.
 */
export function placeInRows(
  query: CursorQuery,
  cursor: string,
  rows: readonly PlacedRow[],
): RowPlace {
  const [shown, time = "", ...parts] = parseCursor(query, cursor);
  const [offset, moment, ref] = [fromDigits(shown), fromDigits(time), parts.join("~")];
  const is_known = moment !== undefined || time === NO_TIME || time === START;
  if (offset === undefined || !is_known || ref === "") throw malformedCursor(cursor);
  if (time === START) return { row: 0, offset };
  const found = rows.findIndex((row) => {
    const its = momentOf(row.updated_at);
    if (its === moment) return row.ref > ref;
    return its === undefined || (moment !== undefined && its < moment);
  });
  return { row: found < 0 ? rows.length : found, offset };
}

function momentOf(time: string | undefined): number | undefined {
  const moment = Date.parse(time ?? "");
  return Number.isNaN(moment) ? undefined : Math.max(0, moment);
}

export interface PlacedHit {
  ref: string;
  seq: number;
  thread?: string;
  role: string;
}

interface HitPlace {
  /** The time of the first page's search, in milliseconds since 1970. */
  now: number;
  /** Number of hits before this position, counted when the cursor was made. */
  count: number;
  /** Digest of the last hit already shown. `+` before the first hit. */
  key: string;
  /** Number of the next hit's characters that were already shown. */
  offset: number;
}

/** Returns the cursor after a hit, or for the first hit if `hit` is `undefined`. */
export function hitCursor(
  query: CursorQuery,
  { now, count, offset = 0 }: Pick<HitPlace, "now" | "count"> & { offset?: number },
  hit: PlacedHit | undefined,
): string {
  const key = hit === undefined ? START : keyOf(hit);
  return formatCursor(query, [toDigits(now), toDigits(count), key, toDigits(offset)]);
}

/** Parses the cursor of a search page. @throws {SyntaxError} As `parseCursor`. */
export function parseHitCursor(query: CursorQuery, cursor: string): HitPlace {
  const [time, before, key = "", shown, more] = parseCursor(query, cursor);
  const [now, count, offset] = [time, before, shown].map(fromDigits);
  if (now === undefined || count === undefined || offset === undefined || key === "" || more) {
    throw malformedCursor(cursor);
  }
  return { now, count, key, offset };
}

/** A search result, and the index of its first hit that the next page shows. */
export interface HitsBehind<Result> {
  result: Result;
  start: number;
}

/**
 * Searches for the hits after a position.
 *
 * @param place The position. `undefined` begins with the first hit.
 * @param wanted Number of hits to find after the position, if there are so many.
 * @param search Finds the first hits, at most `limit`.
 * @returns The result. `undefined` if the hit before the position is no longer found.
 */
export async function hitsBehind<Result extends { hits: readonly PlacedHit[] }>(
  place: HitPlace | undefined,
  wanted: number,
  search: (limit: number) => Promise<Result>,
): Promise<HitsBehind<Result> | undefined> {
  // New hits may have come before the place.
  for (let limit = (place?.count ?? 0) + wanted;; limit *= 2) {
    const result = await search(limit);
    const { hits } = result;
    const from_start = place === undefined || place.key === START;
    const start = from_start ? 0 : hits.findIndex((hit) => keyOf(hit) === place.key) + 1;
    const is_found = from_start || start > 0;
    const is_all = hits.length < limit;
    if (is_found && (is_all || hits.length - start >= wanted)) return { result, start };
    if (is_all) return undefined;
  }
}

function keyOf({ ref, seq, thread = "", role }: PlacedHit): string {
  return digest([ref, seq, thread, role]);
}
