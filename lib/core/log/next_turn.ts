/**
 * Lets other tasks run during long reads: signals, keys, timers. Waiting for the system at each
 * read would take longer than the reads.
 */
import { setImmediate } from "node:timers";

/** Number of bytes that are read before other tasks run. */
export const TURN_BYTES = 4 * 1024 * 1024;

/**
 * Maximum milliseconds between two waits for a timer. A timer lets Deno check all keys and signals.
 * While callbacks of `setImmediate` are due, Deno checks them only after every 31st callback. That
 * is the global queue interval of tokio, Deno's scheduler.
 */
const LONGEST_MS = 16;

let waited_at = performance.now();

/**
 * Resolves once all other tasks that are due have run.
 *
 * @param longest_ms Maximum milliseconds that keys and signals wait, or 0 to check them now.
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
