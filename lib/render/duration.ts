/**
 * A duration as a person reads it.
 *
 * @module
 */

const MILLISECOND = 1e6;
const SECOND = 1e9;

/**
 * Writes a duration with as much detail as a glance takes in.
 *
 * @param nanoseconds The duration; a negative one counts as none.
 * @returns Such as `<1 ms`, `12 ms`, `4.2 s`, `3m 07s`, `1h 02m`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { formatDuration } from "./duration.ts";
 *
 * assert.equal(formatDuration(4_200_000_000), "4.2 s");
 * ```
 */
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
