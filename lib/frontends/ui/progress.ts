/** Shows the progress of long work on one line of a terminal, and erases it at the end. */

import { formatDuration } from "../../text/render/time_label.ts";

interface Place {
  stderr: { readonly terminal: boolean; write(text: string): void };
}

export type ShowProgress = (done: number, all: number) => void;

interface Progress {
  show: ShowProgress;
  end(): void;
}

/** Milliseconds of work before its progress is first shown. */
const PATIENCE_MS = 400;
const STEP_MS = 100;
const CLEAR = "\r\x1b[2K";

/**
 * Shows progress on stderr if stderr is a terminal. The line begins with `words`, or with the text
 * that the function returns. Amounts are in bytes unless `format` says otherwise.
 */
export async function startProgress(
  { stderr }: Place,
  words: string | (() => string),
  format?: (amount: number) => string,
): Promise<Progress> {
  if (!stderr.terminal) return { show: () => {}, end: () => {} };
  const { formatBytes } = await import("../../text/render/byte_size.ts");
  const shownAs = format ?? formatBytes;
  const began = performance.now();
  let next = began + PATIENCE_MS;
  let shown = false;
  return {
    show(done, all): void {
      if (performance.now() < next) return;
      next = performance.now() + STEP_MS;
      shown = true;
      const work = { done, all, elapsed_ms: performance.now() - began };
      const said = typeof words === "string" ? words : words();
      stderr.write(`${CLEAR}${said}: ${progressText(work, shownAs)}`);
    },
    end(): void {
      if (shown) stderr.write(CLEAR);
      shown = false;
    },
  };
}

export async function withProgress<Result>(
  place: Place,
  words: string,
  work: (show: ShowProgress) => Promise<Result>,
): Promise<Result> {
  const progress = await startProgress(place, words);
  try {
    return await work(progress.show);
  } finally {
    progress.end();
  }
}

interface WorkDone {
  done: number;
  all: number;
  elapsed_ms: number;
}

const LEAST_MS = 1000;
const NANOSECONDS = 1e6;

/** Formats the amounts done and in all. After one second, adds the rate and the time left. */
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
