/**
 * Shortens a text to one line.
 *
 * @module
 */
import { sanitizeLine } from "./sanitize.ts";
import { cutText } from "./text_width.ts";

// A text of megabytes need not be made harmless to see its beginning.
const LOOKED_AT = 2000;

/** The first line that has text, of bounded length, its white space made one. */
export function firstLine(text: string, columns: number): string {
  const start = text.trimStart().slice(0, LOOKED_AT).toWellFormed();
  const [line = ""] = start.split(/[\r\n]/, 1);
  return cutText(sanitizeLine(line.replaceAll(/\s+/g, " ").trim()), columns);
}
