/**
 * Bounds the logs that stay open between two writes. A lock keeps a descriptor of its own, so that
 * a session at rest needs that one alone.
 */

/** Maximum number of logs that are open and have nothing to write or sync. */
const MOST = 64;

/** Logs that are open and synced, the least recently used first, with what closes each. */
const idle = new Map<object, () => void>();

/** Keeps a synced log open. Closes the least recently used one if there are too many. */
export function keepOpen(log: object, close: () => void): void {
  idle.delete(log);
  idle.set(log, close);
  const [oldest] = idle;
  if (idle.size <= MOST || oldest === undefined) return;
  idle.delete(oldest[0]);
  oldest[1]();
}

/** Takes a log out: it is written now, or closed. */
export function takeOut(log: object): void {
  idle.delete(log);
}
