/** Describes a screen as a frame, and makes the text that turns one frame into another. Pure. */
import { sanitizeLine } from "../../text/render/sanitize.ts";
import { textWidth } from "../../text/render/text_width.ts";

export interface Frame {
  /** The rows from the top, none wider than the screen. Only the program adds escape sequences. */
  rows: readonly string[];
  /** The position of the cursor, from 0. @default {hidden} */
  cursor?: { row: number; column: number };
}

// A terminal that knows these shows what is between them at once.
const BEGIN = "\x1b[?2026h\x1b[?25l";
const END = "\x1b[?2026l";
const SHOW_CURSOR = "\x1b[?25h";
const CLEAR_BELOW = "\x1b[J";
// Before a row: behind one that is as wide as the screen, its last column would be cleared.
const CLEAR_ROW = "\x1b[K";

/**
 * Returns the text that updates the changed rows of a screen. `before` is undefined if the screen's
 * content is unknown.
 */
export function paintFrame(before: Frame | undefined, after: Frame): string {
  const rows = after.rows.flatMap((row, at) =>
    before?.rows[at] === row ? [] : [`${placeOf(at, 0)}${CLEAR_ROW}${row}`]
  );
  const count = after.rows.length;
  if (before === undefined || before.rows.length > count) {
    rows.unshift(before === undefined ? `\x1b[H${CLEAR_BELOW}` : placeOf(count, 0) + CLEAR_BELOW);
  }
  const { cursor } = after;
  const same = before?.cursor?.row === cursor?.row && before?.cursor?.column === cursor?.column;
  if (rows.length === 0 && same) return "";
  const shown = cursor === undefined ? "" : placeOf(cursor.row, cursor.column) + SHOW_CURSOR;
  return `${BEGIN}${rows.join("")}${shown}${END}`;
}

function placeOf(row: number, column: number): string {
  return `\x1b[${row + 1};${column + 1}H`;
}

export function keysText(keys: readonly string[], width: number): string {
  let text = "";
  for (const key of keys.map(sanitizeLine)) {
    const longer = text === "" ? key : `${text} · ${key}`;
    if (textWidth(longer) > width) break;
    text = longer;
  }
  return text;
}
