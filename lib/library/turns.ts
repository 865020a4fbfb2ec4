/** Gives the rest of the process its turns while many sessions are looked at. */
import { nextTurn } from "../log/next_turn.ts";

/** Nobody who types notices so much. */
const LONGEST_MS = 40;
/** Looking at the clock for each session would take a tenth of the time. */
const UNTIMED = 64;

/** The turns of one loop over many sessions. */
export class Turns {
  #count = 0;
  #since = performance.now();

  /** True where others have waited for long enough: then {@linkcode Turns.pass} is due. */
  isDue(): boolean {
    return ++this.#count % UNTIMED === 0 && performance.now() - this.#since >= LONGEST_MS;
  }

  /** Lets the others run. */
  async pass(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}
