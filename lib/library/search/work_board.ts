/** Memory shared by threads: the next session, the thread of each session, and the bytes done. */

const NEXT = 0;
const KILOBYTES = 1;
const FIRST = 2;

/** The number of the main thread. The numbers of the other threads follow. */
export const MAIN = 1;

export class WorkBoard {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(sessions: number | SharedArrayBuffer) {
    const cell = Int32Array.BYTES_PER_ELEMENT;
    this.memory = typeof sessions === "number"
      ? new SharedArrayBuffer((FIRST + sessions) * cell)
      : sessions;
    this.#cells = new Int32Array(this.memory);
  }

  /**
   * Returns the index of the thread's next session. Undefined if all are taken.
   *
   * @param worker The thread's number, above 0.
   */
  take(worker: number): number | undefined {
    const index = Atomics.add(this.#cells, NEXT, 1);
    if (FIRST + index >= this.#cells.length) return undefined;
    Atomics.store(this.#cells, FIRST + index, worker);
    return index;
  }

  close(): void {
    Atomics.store(this.#cells, NEXT, this.#cells.length);
  }

  takenBy(worker: number): number[] {
    return [...this.#cells.subarray(FIRST).keys()]
      .filter((index) => Atomics.load(this.#cells, FIRST + index) === worker);
  }

  count(bytes: number): void {
    Atomics.add(this.#cells, KILOBYTES, Math.round(bytes / 1000));
  }

  /** Number of bytes scanned so far, rounded to thousands. */
  get bytes(): number {
    return Atomics.load(this.#cells, KILOBYTES) * 1000;
  }
}
