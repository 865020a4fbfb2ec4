/**
 * Tells which counts of a fork are its parent's.
 *
 * A fork of a legacy thread begins with its parent's lines. Their counts are the parent's first
 * ones, in their order. Where the parent is gone, or its lines were rewritten, all bear the moment
 * of the fork. They were written in one go.
 */
import type { CountedAnswer } from "./token_counts.ts";

/** The longest pause between counts that were written in one go. */
const PAUSE_MS = 1000;

/** Follows the counts of a fork, in their order. */
export class CopiedCounts {
  readonly #parents: readonly string[];
  /** When the last count was written that was copied in one go; undefined where none was. */
  #burst: number | undefined;
  #next = 0;
  #own = false;

  /**
   * @param parents Counts of the parent. @param forked_at When the fork began: later ones it cannot
   * have copied. @param first The fork's first two counts.
   */
  constructor(
    parents: readonly CountedAnswer[],
    forked_at: string,
    [first, second]: readonly CountedAnswer[],
  ) {
    const later = parents.findIndex(({ time }) => Date.parse(time) > Date.parse(forked_at));
    this.#parents = (later < 0 ? parents : parents.slice(0, later)).map(identity);
    if (first === undefined || second === undefined) return;
    const pause = Date.parse(second.time) - Date.parse(first.time);
    if (pause >= 0 && pause <= PAUSE_MS) this.#burst = Date.parse(first.time);
  }

  /** True if the next count of the fork is its parent's. */
  has(answer: CountedAnswer): boolean {
    if (this.#own) return false;
    if (this.#parents[this.#next] === identity(answer)) {
      this.#next++;
      this.#burst = undefined;
      return true;
    }
    const pause = Date.parse(answer.time) - (this.#burst ?? NaN);
    if (pause >= 0 && pause <= PAUSE_MS) {
      this.#burst = Date.parse(answer.time);
      // From here on only the pauses tell.
      this.#next = Infinity;
      return true;
    }
    this.#own = true;
    return false;
  }
}

function identity({ counts }: CountedAnswer): string {
  return JSON.stringify(counts);
}
