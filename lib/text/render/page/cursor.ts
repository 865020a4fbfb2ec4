/**
 * Formats and parses cursors. A cursor is a text that tells where the next page of a result begins.
 * It contains its command, a digest of the query and the position, so any later process can
 * continue. Pure.
 */
import { crc32 } from "node:zlib";

export interface CursorQuery {
  /** The name of the command or tool whose result is split into pages. */
  command: string;
  /** The result's filters and order, as a JSON value. */
  query: unknown;
}

/** Maximum length of a cursor. Error messages repeat at most `REPEATED` characters of it. */
const LONGEST = 300;
const REPEATED = 60;
const FORM = /^([a-z_]+):([0-9a-f]{8}):(.+)$/;
const BETWEEN = "~";

/**
 * Writes a cursor. It needs no quotes in a shell if `place` needs none.
 *
 * @param place The parts of the position where the next page begins.
 */
export function formatCursor({ command, query }: CursorQuery, place: readonly string[]): string {
  return [command, digest(query), place.join(BETWEEN)].join(":");
}

/**
 * Reads a cursor that {@linkcode formatCursor} wrote for the same command and query.
 *
 * @returns The parts of the position where the next page begins.
 * @throws {SyntaxError} If the cursor is malformed, of another command, or of another query.
 */
export function parseCursor({ command, query }: CursorQuery, cursor: string): string[] {
  const [, given, stated, place] = cursor.length > LONGEST ? [] : FORM.exec(cursor) ?? [];
  if (given === undefined || place === undefined) throw malformedCursor(cursor);
  if (given !== command) {
    throw unusable(
      cursor,
      `${command} cannot continue from this cursor, because it is from ${given}; leave out the ` +
        "cursor to start again",
    );
  }
  if (stated !== digest(query)) {
    throw unusable(
      cursor,
      "the cursor belongs to another query; repeat that query, or leave out the cursor to start " +
        "again",
    );
  }
  return place.split(BETWEEN);
}

/**
 * Reads a cursor whose position has three numbers. @throws {SyntaxError} As
 * {@linkcode parseCursor}.
 */
export function parseNumbers(query: CursorQuery, cursor: string): [number, number, number] {
  const parts = parseCursor(query, cursor);
  const [one, two, three] = parts.map(fromDigits);
  if (one === undefined || two === undefined || three === undefined || parts.length > 3) {
    throw malformedCursor(cursor);
  }
  return [one, two, three];
}

export function malformedCursor(cursor: string): SyntaxError {
  return unusable(
    cursor,
    "Reprise did not print this cursor at the end of a page; leave out the cursor to start again",
  );
}

/** Writes a non-negative integer in base 36, to keep cursors short. */
export function toDigits(number: number): string {
  return number.toString(36);
}

/** Reads a number that {@linkcode toDigits} wrote. `undefined` for any other text. */
export function fromDigits(text: string | undefined): number | undefined {
  if (text === undefined || !/^[0-9a-z]{1,11}$/.test(text)) return undefined;
  const number = Number.parseInt(text, 36);
  return Number.isSafeInteger(number) ? number : undefined;
}

export function digest(value: unknown): string {
  return crc32(JSON.stringify(value)).toString(16).padStart(8, "0");
}

function unusable(cursor: string, reason: string): SyntaxError {
  const shown = cursor.length > REPEATED ? `${cursor.slice(0, REPEATED)}…` : cursor;
  return new SyntaxError(`Cannot use cursor "${shown.toWellFormed()}": ${reason}`);
}
