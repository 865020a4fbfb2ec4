/**
 * Limits the number of logs that stay open between two writes. A lock has a descriptor of its own,
 * which is all that an idle session needs.
 */

/** Maximum number of open logs that have nothing to write or sync. */
const MOST = 64;

/** Open logs that are synced, the least recently used first, with the function that closes each. */
const idle = new Map<object, () => void>();

/** Closes the least recently used log if too many are open. */
export function keepOpen(log: object, close: () => void): void {
  idle.delete(log);
  idle.set(log, close);
  const [oldest] = idle;
  if (idle.size <= MOST || oldest === undefined) return;
  idle.delete(oldest[0]);
  oldest[1]();
}

/** Removes a log from the idle logs. Call it before the log is written, synced or closed. */
export function takeOut(log: object): void {
  idle.delete(log);
}
