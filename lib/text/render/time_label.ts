/** Times and durations as a person reads them. */
import { sanitizeLine } from "./sanitize.ts";

/** Formats an ISO 8601 time in the reader's language and zone. */
export type TimeFormat = (iso: string) => string;

// Locales that are written from right to left put these marks around numbers.
const BIDI_MARKS = /[\u061c\u200e\u200f]/g;

/** Formats a time for the reader. A text that is not a time is only sanitized. */
export function timeLabel(iso: string, format?: TimeFormat): string {
  if (format === undefined || Number.isNaN(Date.parse(iso))) return sanitizeLine(iso);
  return sanitizeLine(format(iso).replace(BIDI_MARKS, ""));
}

/** Formats a time in UTC: `2026-11-21 20:21 UTC`. A text that is not a time is only sanitized. */
export function utcMinute(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return sanitizeLine(iso);
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

const MILLISECOND = 1e6;
const SECOND = 1e9;

/** Writes a duration, given in nanoseconds: `<1 ms`, `12 ms`, `4.2 s`, `3m 07s`, `1h 02m`. */
export function formatDuration(nanoseconds: number): string {
  const milliseconds = Math.round(nanoseconds / MILLISECOND);
  if (!(milliseconds >= 1)) return "<1 ms";
  if (milliseconds < 1000) return `${milliseconds} ms`;
  const tenths = Math.round(nanoseconds / (SECOND / 10));
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(nanoseconds / SECOND);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${twoDigits(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${twoDigits(minutes % 60)}m`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
