/**
 * The entry of one session in an index file. Rows of numbers hold most facts, so that a hundred
 * thousand entries load at once.
 */
import { digest, type SessionState } from "../../library/catalogue/session_state.ts";
import type { ReadPlace } from "../../source/session_reading.ts";
import { edgeChecksums, type FileStamp, isUnchanged, stampFile } from "./source_stamp.ts";

/** Facts that few sessions have. */
export interface EntryDetail {
  /** The states of the session's files at indexing. */
  stamps: readonly FileStamp[];
  /** Thread ids, the main one first; absent if there is only one. */
  threads?: readonly string[];
  /** The place at which another agent's session can be read on. */
  place?: ReadPlace;
  /** Number of the last event before its texts. Later texts of the previous entry are void. */
  behind?: number;
}

/** Reads facts outside the rows on demand. */
export interface EntryReader {
  numbers(index: number): Float64Array;
  detail(index: number): EntryDetail;
}

/** The entry of a session in an index file. */
export class SegmentEntry {
  readonly #rows: EntryRows;
  readonly #index: number;
  readonly #reader: EntryReader;
  #numbers: Float64Array | undefined;
  #detail: EntryDetail | undefined;

  /** @param index Number of the row. */
  constructor(rows: EntryRows, index: number, reader: EntryReader) {
    this.#rows = rows;
    this.#index = index;
    this.#reader = reader;
  }

  #get(field: number): number {
    return this.#rows.get(this.#index, field);
  }

  /** Reads the facts outside the row; undefined without any. */
  get #more(): EntryDetail | undefined {
    if (this.#get(ENTRY.DETAIL) !== 1) return undefined;
    return this.#detail ??= this.#reader.detail(this.#index);
  }

  /** Returns the number of the first text in the file. */
  get first(): number {
    return this.#get(ENTRY.FIRST);
  }

  /** Returns the number of texts. */
  get count(): number {
    return this.#get(ENTRY.COUNT);
  }

  /** Returns the start offset of the texts in the log. */
  get from(): number {
    return this.#get(ENTRY.FROM);
  }

  /** Returns the end offset of the texts in the log. */
  get to(): number {
    return this.#get(ENTRY.TO);
  }

  /** Returns the size of the session's own file at indexing. */
  get size(): number {
    return this.#get(ENTRY.SIZE);
  }

  /** True if the session cannot be indexed, so that it is scanned. */
  get passed_over(): boolean {
    return this.#get(ENTRY.PASSED_OVER) === 1;
  }

  /** True if new bytes can be read on from its end or its place. */
  get grows(): boolean {
    return !Number.isNaN(this.#get(ENTRY.HEAD));
  }

  /** See {@linkcode EntryDetail.place}. */
  get place(): ReadPlace | undefined {
    return this.#more?.place;
  }

  /** Returns the session's files; undefined without a detail. */
  get paths(): readonly string[] {
    return this.#more?.stamps.map(({ path }) => path) ?? [];
  }

  /** See {@linkcode EntryDetail.behind}. */
  get behind(): number | undefined {
    return this.#more?.behind;
  }

  /** Returns the packed texts, read on demand, because few entries need them. */
  get numbers(): Float64Array {
    return this.#numbers ??= this.#reader.numbers(this.#index);
  }

  /** Returns the thread ids, the main one first; undefined if there is only one. */
  get threads(): readonly string[] | undefined {
    return this.#more?.threads;
  }

  /**
   * True if the session's files are unchanged.
   *
   * @param path The session's own file.
   * @param seen A recently observed state of that file.
   */
  isUnchanged(path: string, seen: SessionState | undefined): boolean {
    const more = this.#more;
    if (more !== undefined) return more.stamps.every((stamp) => isUnchanged(stamp));
    const [mtime, ctime] = [this.#get(ENTRY.MTIME), this.#get(ENTRY.CTIME)];
    const stamp = { path, size: this.size, ino: this.#get(ENTRY.INO), mtime, ctime };
    return isUnchanged(stamp, seen);
  }

  /**
   * True if a file has only grown, and the session's other files are unchanged.
   *
   * @param size The file's present size.
   */
  hasGrown(path: string, size: number): boolean {
    if (!this.grows || size < this.size) return false;
    const others = this.#more?.stamps.filter((stamp) => stamp.path !== path) ?? [];
    if (!others.every((stamp) => isUnchanged(stamp))) return false;
    // Another agent's file of equal size was overwritten.
    if (this.place !== undefined && size === this.size) return false;
    if (stampFile(path).ino !== this.#get(ENTRY.INO)) return false;
    const now = edgeChecksums(path, this.to);
    return now !== undefined && now[0] === this.#get(ENTRY.HEAD) &&
      now[1] === this.#get(ENTRY.TAIL);
  }
}

/** The columns of a row. */
export const ENTRY = {
  /** Digest of the session's reference and path: see {@linkcode entryKey}. */
  KEY: 0,
  /** Number of the first text in the file. */
  FIRST: 1,
  /** Number of texts. */
  COUNT: 2,
  /** Start and end offset of the indexed bytes. */
  FROM: 3,
  TO: 4,
  /** State of the session's own file. */
  SIZE: 5,
  MTIME: 6,
  CTIME: 7,
  INO: 8,
  /**
   * Checksums of the first bytes and of the last bytes before `TO`, if it can be read on; else NaN.
   */
  HEAD: 9,
  TAIL: 10,
  /** 1 if the session cannot be indexed, so that it is scanned. */
  PASSED_OVER: 11,
  /** 1 if the detail has other files, threads or a place. */
  DETAIL: 12,
} as const;
/** Numbers per row. */
const WIDTH = 13;

/**
 * Hashes a session's name to one number. Among 100,000 sessions, a collision has a chance of 1 in 2
 * million. Hits are read again in the session, so a collision shows no wrong hit.
 */
export function entryKey({ ref, path }: { ref: string; path: string }): number {
  return digest(`${ref}\n${path}`);
}

/** The rows of an index file. */
export class EntryRows {
  readonly count: number;
  readonly #numbers: Float64Array;

  /** @param bytes Packed numbers in the order of {@linkcode ENTRY}, row by row. */
  constructor(bytes: Uint8Array) {
    this.#numbers = new Float64Array(bytes.slice().buffer);
    this.count = this.#numbers.length / WIDTH;
  }

  /**
   * Returns one number of a row.
   *
   * @param field A column of {@linkcode ENTRY}.
   */
  get(index: number, field: number): number {
    return this.#numbers[index * WIDTH + field] ?? NaN;
  }

  /** Returns one more than the number of the last text; texts are numbered in row order. */
  get end(): number {
    const last = this.count - 1;
    return last < 0 ? 1 : this.get(last, ENTRY.FIRST) + this.get(last, ENTRY.COUNT);
  }

  numbers(): number[] {
    return [...this.#numbers];
  }
}
