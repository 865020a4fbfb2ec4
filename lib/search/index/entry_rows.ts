/**
 * Keeps what a file of the index knows of each session as numbers in rows. A hundred thousand
 * sessions load at once. Pure.
 */
import { digest } from "../../library/catalogue/session_state.ts";

/** What stands where in a row. */
export const ENTRY = {
  /** Digest of the session's reference and path: see {@linkcode entryKey}. */
  KEY: 0,
  /** Number of its first text among all of the file. */
  FIRST: 1,
  /** Number of its texts. */
  COUNT: 2,
  /** Bytes of its log that are indexed: from one offset to another. */
  FROM: 3,
  TO: 4,
  /** Its own file as it was. */
  SIZE: 5,
  MTIME: 6,
  CTIME: 7,
  INO: 8,
  /** Where it can be read on: checksums of the first bytes, and of the last ones before `TO`; else NaN. */
  HEAD: 9,
  TAIL: 10,
  /** 1 where it cannot be indexed as it is, and is scanned. */
  PASSED_OVER: 11,
  /** 1 where its detail tells of other files, of threads or of a place. */
  DETAIL: 12,
} as const;
/** Numbers in a row. */
const WIDTH = 13;

/**
 * Names a session in one number. Of 100,000, two share one by a chance of 1 in 2 million; what is
 * shown of them is read again in the session itself.
 */
export function entryKey({ ref, path }: { ref: string; path: string }): number {
  return digest(`${ref}\n${path}`);
}

/** The sessions of a file of the index. */
export class EntryRows {
  readonly count: number;
  readonly #numbers: Float64Array;

  /** @param bytes The numbers in the order of {@linkcode ENTRY}, row by row, packed. */
  constructor(bytes: Uint8Array) {
    this.#numbers = new Float64Array(bytes.slice().buffer);
    this.count = this.#numbers.length / WIDTH;
  }

  /** One number of a session. @param field Its place in {@linkcode ENTRY}. */
  get(index: number, field: number): number {
    return this.#numbers[index * WIDTH + field] ?? NaN;
  }

  /** One more than the number of the last text; texts are numbered in the order of the rows. */
  get end(): number {
    const last = this.count - 1;
    return last < 0 ? 1 : this.get(last, ENTRY.FIRST) + this.get(last, ENTRY.COUNT);
  }

  /** The numbers of all sessions, row by row. */
  numbers(): number[] {
    return [...this.#numbers];
  }
}
