/** Cuts a list of sessions into pages. A cursor says where one ends, and of which list. Pure. */
import type { Summary } from "../projection/summary_row.ts";
import type { CursorQuery } from "../render/page/cursor.ts";
import { placeInRows, rowCursor } from "../render/page/places.ts";

/** Sessions of a page. */
export const PAGE_ROWS = 100;

/** A page of a list. */
export interface ListPage {
  /** The rows, newest first. */
  rows: readonly Summary[];
  /** Where the next page begins; absent on the last one. */
  next?: string;
}

/**
 * Returns the page that a cursor names, or the first.
 *
 * @param rows All rows of the list: the newest update first, those of one time in the order of their
 * references.
 * @param cwd The directory that was asked for; undefined for all.
 * @throws {SyntaxError} Where the cursor is none, or one of another list.
 */
export function listPage(
  rows: readonly Summary[],
  cwd: string | undefined,
  cursor: string | undefined,
): ListPage {
  const of: CursorQuery = { command: "session_list", query: { cwd } };
  const first = cursor === undefined ? 0 : placeInRows(of, cursor, rows).row;
  const page = rows.slice(first, first + PAGE_ROWS);
  return first + page.length >= rows.length
    ? { rows: page }
    : { rows: page, next: rowCursor(of, page.at(-1)) };
}
