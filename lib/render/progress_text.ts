/** Describes the progress of long work in words. */
import { formatDuration } from "./duration.ts";

/** How much is done, of how much, and since when. */
export interface WorkDone {
  done: number;
  all: number;
  /** Milliseconds since the work began. */
  elapsed_ms: number;
}

/** A rate measured over less time says nothing. */
const LEAST_MS = 1000;
const NANOSECONDS = 1e6;

/**
 * Writes how far work is: the share, and once it has gone on for a second its rate and the time left.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { progressText } from "./progress_text.ts";
 *
 * const work = { done: 20, all: 80, elapsed_ms: 2000 };
 * assert.equal(progressText(work, String), "20 of 80 · 10/s · 6.0 s left");
 * ```
 */
export function progressText(
  { done, all, elapsed_ms }: WorkDone,
  format: (amount: number) => string,
): string {
  const share = `${format(Math.min(done, all))} of ${format(all)}`;
  if (elapsed_ms < LEAST_MS || done <= 0) return share;
  const rate = done / elapsed_ms;
  const perSecond = `${format(Math.round(rate * 1000))}/s`;
  if (done >= all) return `${share} · ${perSecond}`;
  const left = formatDuration((all - done) / rate * NANOSECONDS);
  return `${share} · ${perSecond} · ${left} left`;
}
