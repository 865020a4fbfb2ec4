/** Writes how long ago a time was. */
import { localDay } from "./local_time.ts";
import type { TimeFormat } from "./time_label.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** Returns how long ago a time was, in one unit: `12s`, `3m`, `2h`. Empty if it is unknown. */
export function agoText(since: string | undefined, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(since ?? "")) / 1000));
  if (Number.isNaN(seconds)) return "";
  if (seconds < 60) return `${seconds}s`;
  return seconds < HOUR ? `${Math.floor(seconds / 60)}m` : `${Math.floor(seconds / HOUR)}h`;
}

/**
 * Returns a function that writes times as `now`, `5m ago`, `2h ago`, `3d ago`. Times in the future
 * or over a week ago become a date: `2026-11-21`.
 */
export function relativeTime(now: number): TimeFormat {
  return (iso) => {
    const seconds = (now - Date.parse(iso)) / 1000;
    // Clocks of two machines differ by some seconds.
    if (Math.abs(seconds) < 60) return "now";
    if (seconds < 0 || seconds >= WEEK) return localDay(new Date(iso));
    return seconds < DAY ? `${agoText(iso, now)} ago` : `${Math.floor(seconds / DAY)}d ago`;
  };
}
