/** Counts back calendar days. Pure. */

const DAY_MS = 86_400_000;

/**
 * Returns the day a number of days before another one: `daysBefore("2026-11-22", 29)` begins the last
 * 30 days, of which today is one.
 */
export function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * DAY_MS).toISOString().slice(0, "2026-11-22".length);
}
