/**
 * Long reads let others run now and then: a signal, a key, a timer. To wait for the system at each
 * read would take longer than the reads.
 */
import { setImmediate } from "node:timers";

/** Bytes that are read before others have a turn. */
export const TURN_BYTES = 4 * 1024 * 1024;

/** Resolves once whatever else is due has run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
