/**
 * Moments in a page.
 *
 * @module
 */
import { type TimeFormat, timeLabel } from "../time_label.ts";
import { NOTHING, safe, type SafeHtml } from "./safe_html.ts";

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

/** A moment as the reader wants it, and as machines do. */
export function timeHtml(iso: string | undefined, format: TimeFormat | undefined): SafeHtml {
  if (iso === undefined || iso === "") return NOTHING;
  const label = timeLabel(iso, format);
  return ISO_TIME.test(iso) ? safe`<time datetime="${iso}">${label}</time>` : safe`${label}`;
}
