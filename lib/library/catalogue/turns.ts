/** Lets other tasks of the process run during loops over many sessions. */
import { nextTurn } from "../../core/log/next_turn.ts";

/** Maximum milliseconds without a pause for other tasks. Users notice a longer delay of a key. */
const LONGEST_MS = 40;
/** Number of located sessions after which the clock is read. Reading it for each is too slow. */
const UNTIMED = 64;
/** The cost for `isDue` of reading a session's start and end. Locating a session costs 1. */
export const READ_COST = 8;

export class Turns {
  #count = 0;
  #since = performance.now();

  /**
   * True if the loop ran so long that {@linkcode Turns.pass} is due.
   *
   * @param cost The work since the last call. Locating one session costs 1. @default {1}
   */
  isDue(cost = 1): boolean {
    this.#count += cost;
    if (this.#count < UNTIMED) return false;
    this.#count = 0;
    return performance.now() - this.#since >= LONGEST_MS;
  }

  async pass(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}

export async function* inTurns<Batch>(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  const turns = new Turns();
  for await (const batch of batches) {
    yield batch;
    if (turns.isDue(UNTIMED)) await turns.pass();
  }
}
