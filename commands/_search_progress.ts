/**
 * How far long work is, on one line of a terminal that is taken away again.
 */
import type { Context } from "./_context.ts";

/** Shows how far work is. */
export interface Progress {
  /** Shows it, now and then. */
  show(done: number, all: number): void;
  /** Takes the line away. */
  end(): void;
}

/** Work that is done sooner shows nothing. */
const PATIENCE_MS = 400;
const STEP_MS = 100;
const CLEAR = "\r\x1b[2K";

/** Shows progress on stderr, where that is a terminal. `words` come before the share. */
export async function startProgress({ stderr }: Context, words: string): Promise<Progress> {
  if (!stderr.terminal) return { show: () => {}, end: () => {} };
  const { formatBytes } = await import("../lib/render/byte_size.ts");
  let next = performance.now() + PATIENCE_MS;
  let shown = false;
  return {
    show(done, all): void {
      if (performance.now() < next) return;
      next = performance.now() + STEP_MS;
      shown = true;
      stderr.write(`${CLEAR}${words}: ${formatBytes(Math.min(done, all))} of ${formatBytes(all)}`);
    },
    end(): void {
      if (shown) stderr.write(CLEAR);
    },
  };
}
