/**
 * Tells bursts of notices. A runtime drops notices while more than some wait to be taken: Deno 2.7
 * holds 16 of a watch, and says nothing of the others.
 */

const WINDOW_MS = 250;
/** So many in a window: some more may have been dropped. */
const MANY = 8;

/** Counts the notices of each source. */
export class Bursts<Source> {
  readonly #windows = new Map<Source, { since: number; count: number }>();

  /** Counts a notice; true where there were so many that some may be lost. */
  isDue(source: Source, now = performance.now()): boolean {
    const window = this.#windows.get(source);
    if (window === undefined || now - window.since > WINDOW_MS) {
      this.#windows.set(source, { since: now, count: 1 });
      return false;
    }
    return ++window.count >= MANY;
  }
}
