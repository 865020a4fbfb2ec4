/** Remembers paths that changed and belong to no session, so that none of them is looked at for ever. */

/** Paths that are remembered. */
const MOST = 10_000;
const FIRST_MS = 500;
const LONGEST_MS = 60_000;

interface Looked {
  /** When the next look is worth it. */
  next: number;
  wait: number;
}

/** Agents write other files where their sessions lie, some of them each second. */
export class UnknownPaths {
  readonly #looked = new Map<string, Looked>();

  /** True where a path may belong to a session by now: the longer it did not, the rarer. */
  isWorthALook(path: string, now = performance.now()): boolean {
    const known = this.#looked.get(path);
    if (known === undefined) {
      if (this.#looked.size >= MOST) this.#looked.clear();
      this.#looked.set(path, { next: now + FIRST_MS, wait: FIRST_MS });
      return true;
    }
    if (now < known.next) return false;
    known.wait = Math.min(LONGEST_MS, 2 * known.wait);
    known.next = now + known.wait;
    return true;
  }
}
