/** Gives the rest of the process its turns while many sessions are looked at. */
import { nextTurn } from "../../core/log/next_turn.ts";

/** Maximum milliseconds without a pause for other work. Longer delays of a key are noticed. */
const LONGEST_MS = 40;
/** Sessions between two looks at the clock. One look for each would take a tenth of the time. */
const UNTIMED = 64;
/** Number of sessions that can be located in the least time that reading the ends of one takes. */
export const READ_COST = 8;

/** The pauses that one loop over many sessions makes for other work. */
export class Turns {
  #count = 0;
  #since = performance.now();

  /**
   * True if the loop ran long enough that {@linkcode Turns.pass} is due.
   *
   * @param cost What was done since it was asked, in sessions that were located. @default {1}
   */
  isDue(cost = 1): boolean {
    this.#count += cost;
    if (this.#count < UNTIMED) return false;
    this.#count = 0;
    return performance.now() - this.#since >= LONGEST_MS;
  }

  /** Lets other work of the process run. */
  async pass(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}

/** Yields batches of events, and lets other work of the process run between them. */
export async function* inTurns<Batch>(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  const turns = new Turns();
  for await (const batch of batches) {
    yield batch;
    if (turns.isDue(UNTIMED)) await turns.pass();
  }
}
