/**
 * Long reads let others run now and then: a signal, a key, a timer. To wait for the system at each
 * read would take longer than the reads.
 */
import { setImmediate } from "node:timers";

/** Number of bytes that are read before other work has a turn. */
export const TURN_BYTES = 4 * 1024 * 1024;

/**
 * Milliseconds between two waits for the system. While an immediate is due, Deno checks keys and
 * signals only at each 31st one. That is tokio's interval for its global queue. A timer lets them
 * all in. /
 */
const LONGEST_MS = 16;

/** Time of the last wait for the system. */
let waited_at = performance.now();

/**
 * Resolves once whatever else is due has run.
 *
 * @param longest_ms Keys and signals wait no longer than this; 0 lets them in now.
 */
export function nextTurn(longest_ms: number = LONGEST_MS): Promise<void> {
  return new Promise((resolve) => {
    if (performance.now() - waited_at < longest_ms) return void setImmediate(resolve);
    setTimeout(() => {
      waited_at = performance.now();
      resolve();
    }, 0);
  });
}
