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
  /** Index of the run's first event in the caller's list. */
  index: number;
}

/** Adds `seq` to the last run or begins one. `index` is the event's index in the caller's list. */
export function addSeq(runs: SeqRun[], seq: number, index: number): void {
  const run = runs[runs.length - 1];
  if (run !== undefined && seq === run.last + 1) run.last = seq;
  else runs.push({ first: seq, last: seq, index });
}

export function findRun(runs: readonly SeqRun[], seq: number): SeqRun | undefined {
  if (!Number.isSafeInteger(seq)) return undefined;
  for (let at = runs.length - 1; at >= 0; at--) {
    const run = runs[at] as SeqRun;
    if (run.first <= seq && seq <= run.last) return run;
  }
  return undefined;
}
