/**
 * A moment as the reader wants it.
 *
 * @module
 */
import { sanitizeLine } from "./sanitize.ts";

/** Turns an ISO 8601 time into what is shown: the caller knows the reader's language and zone. */
export type TimeFormat = (iso: string) => string;

// Locales that are written from right to left put these around numbers.
const BIDI_MARKS = /[\u061c\u200e\u200f]/g;

/** What to show for a time. A text that is no time is shown as it is, made harmless. */
export function timeLabel(iso: string, format?: TimeFormat): string {
  if (format === undefined || Number.isNaN(Date.parse(iso))) return sanitizeLine(iso);
  return sanitizeLine(format(iso).replace(BIDI_MARKS, ""));
}

/** A time for readers anywhere: `2026-11-21 20:21 UTC`. A text that is no time stays as it is. */
export function utcMinute(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return sanitizeLine(iso);
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
