/**
 * Small texts: times, one line of something long.
 *
 * @module
 */
import { sanitizeLine } from "../sanitize.ts";
import { cutText } from "../text_width.ts";
import { type TimeFormat, timeLabel } from "../time_label.ts";
import { NOTHING, safe, type SafeHtml } from "./safe_html.ts";

// A text of megabytes need not be made harmless to see its beginning.
const LOOKED_AT = 2000;

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

/** The first line that has text, of bounded length, its white space made one. */
export function firstLine(text: string, columns: number): string {
  const start = text.trimStart().slice(0, LOOKED_AT).toWellFormed();
  const [line = ""] = start.split(/[\r\n]/, 1);
  return cutText(sanitizeLine(line.replaceAll(/\s+/g, " ").trim()), columns);
}

/** A moment as the reader wants it, and as machines do. */
export function timeHtml(iso: string | undefined, format: TimeFormat | undefined): SafeHtml {
  if (iso === undefined || iso === "") return NOTHING;
  const label = timeLabel(iso, format);
  return ISO_TIME.test(iso) ? safe`<time datetime="${iso}">${label}</time>` : safe`${label}`;
}
