/** Shared memory of parallel threads: the next session, who took which, and the bytes done. */

const NEXT = 0;
const KILOBYTES = 1;
const FIRST = 2;

/** The board of a work over so many sessions. */
export class WorkBoard {
  /** To be sent to another thread. */
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(sessions: number | SharedArrayBuffer) {
    const cell = Int32Array.BYTES_PER_ELEMENT;
    this.memory = typeof sessions === "number"
      ? new SharedArrayBuffer((FIRST + sessions) * cell)
      : sessions;
    this.#cells = new Int32Array(this.memory);
  }

  /** Takes the next session for a thread, which is any but 0; gives its index, or undefined when all are taken. */
  take(worker: number): number | undefined {
    const index = Atomics.add(this.#cells, NEXT, 1);
    if (FIRST + index >= this.#cells.length) return undefined;
    Atomics.store(this.#cells, FIRST + index, worker);
    return index;
  }

  /** Ends the work: nobody takes another session. */
  close(): void {
    Atomics.store(this.#cells, NEXT, this.#cells.length);
  }

  /** The sessions that a thread took. */
  takenBy(worker: number): number[] {
    return [...this.#cells.subarray(FIRST).keys()]
      .filter((index) => Atomics.load(this.#cells, FIRST + index) === worker);
  }

  /** Counts what is done. */
  count(bytes: number): void {
    Atomics.add(this.#cells, KILOBYTES, Math.round(bytes / 1000));
  }

  /** Bytes that are done, rounded. */
  get bytes(): number {
    return Atomics.load(this.#cells, KILOBYTES) * 1000;
  }
}
