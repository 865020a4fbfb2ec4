/**
 * Cursors: where the next page of an answer begins. A cursor is a text that holds all it needs, so it
 * survives the process that gave it. It names its command and a digest of the query. Pure.
 */
import { crc32 } from "node:zlib";

/** The answer that a cursor belongs to. */
export interface CursorQuery {
  /** The command or the tool that gives the answer. */
  command: string;
  /** The filters and the order of the answer. A value of JSON. */
  query: unknown;
}

/** Maximum length of a cursor; `REPEATED` is the maximum of it that an error message repeats. */
const LONGEST = 300;
const REPEATED = 60;
const FORM = /^([a-z_]+):([0-9a-f]{8}):(.+)$/;
const BETWEEN = "~";

/**
 * Writes a cursor. It needs no quotes in a shell, as long as the place does not.
 *
 * @param of The answer. @param place Names the first thing that was not shown.
 */
export function formatCursor({ command, query }: CursorQuery, place: readonly string[]): string {
  return [command, digest(query), place.join(BETWEEN)].join(":");
}

/**
 * Reads a cursor that {@linkcode formatCursor} gave for the same answer.
 *
 * @returns The place.
 * @throws {SyntaxError} If it is malformed, of another command, or of another query.
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
 * Reads a cursor whose place is three numbers. @throws {SyntaxError} As {@linkcode parseCursor}.
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

/** Writes a number in few characters. */
export function toDigits(number: number): string {
  return number.toString(36);
}

/** Reads {@linkcode toDigits}; undefined for any other text. */
export function fromDigits(text: string | undefined): number | undefined {
  if (text === undefined || !/^[0-9a-z]{1,11}$/.test(text)) return undefined;
  const number = Number.parseInt(text, 36);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Digests a value to eight characters. */
export function digest(value: unknown): string {
  return crc32(JSON.stringify(value)).toString(16).padStart(8, "0");
}

function unusable(cursor: string, reason: string): SyntaxError {
  const shown = cursor.length > REPEATED ? `${cursor.slice(0, REPEATED)}…` : cursor;
  return new SyntaxError(`Cannot use cursor "${shown.toWellFormed()}": ${reason}`);
}
