/**
 * Tracks the sequence numbers that occurred, as runs. A complete log is one run. A gap or a repeat
 * begins another run.
 */

/** A run of consecutive sequence numbers. */
export interface SeqRun {
  /** The lowest number of the run. */
  first: number;
  /** The highest number of the run; grows as events come. */
  last: number;
  /** Number of events that the caller kept before the first event of the run. */
  index: number;
}

/** Adds an event's number to the runs. `index` is the number of events kept before this event. */
export function addSeq(runs: SeqRun[], seq: number, index: number): void {
  const run = runs[runs.length - 1];
  if (run !== undefined && seq === run.last + 1) run.last = seq;
  else runs.push({ first: seq, last: seq, index });
}

/** Returns the last run that contains `seq`, or undefined if none does or `seq` is no integer. */
export function findRun(runs: readonly SeqRun[], seq: number): SeqRun | undefined {
  if (!Number.isSafeInteger(seq)) return undefined;
  for (let at = runs.length - 1; at >= 0; at--) {
    const run = runs[at] as SeqRun;
    if (run.first <= seq && seq <= run.last) return run;
  }
  return undefined;
}
