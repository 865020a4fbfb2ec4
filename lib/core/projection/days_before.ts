/** Counts back calendar days. Pure. */

const DAY_MS = 86_400_000;

/**
 * Returns the day `count` days before another day. `daysBefore("2026-11-22", 29)` returns the first
 * of the 30 days that end with 2026-11-22.
 */
export function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * DAY_MS).toISOString().slice(0, "2026-11-22".length);
}
