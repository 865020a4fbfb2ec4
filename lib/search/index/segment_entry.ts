/** Tells what a file of the index knows of one session. */
import { digest, type SessionState } from "../../library/catalogue/session_state.ts";
import type { ReadPlace } from "../../source/session_reading.ts";
import { edgeChecksums, type FileStamp, isUnchanged, stampFile } from "./source_stamp.ts";

/** What only few sessions have. */
export interface EntryDetail {
  /** All files that the session was read from, as they were. */
  stamps: readonly FileStamp[];
  /** The ids of its threads, the main one first, where it has others. */
  threads?: readonly string[];
  /** A place from which another agent's session can be read on. */
  place?: ReadPlace;
  /** Number of the last event before its texts; later texts of the entry before it are void. */
  behind?: number;
}

/** Reads what the rows do not tell, when it is asked for. */
export interface EntryReader {
  /** What is known of each text. */
  numbers(index: number): Float64Array;
  detail(index: number): EntryDetail;
}

/** A session in a file of the index. */
export class SegmentEntry {
  readonly #rows: EntryRows;
  readonly #index: number;
  readonly #reader: EntryReader;
  #numbers: Float64Array | undefined;
  #detail: EntryDetail | undefined;

  /** @param index Its place in the rows. */
  constructor(rows: EntryRows, index: number, reader: EntryReader) {
    this.#rows = rows;
    this.#index = index;
    this.#reader = reader;
  }

  #get(field: number): number {
    return this.#rows.get(this.#index, field);
  }

  /** What its row does not tell; undefined where there is no more. */
  get #more(): EntryDetail | undefined {
    if (this.#get(ENTRY.DETAIL) !== 1) return undefined;
    return this.#detail ??= this.#reader.detail(this.#index);
  }

  /** Number of its first text among all of the file. */
  get first(): number {
    return this.#get(ENTRY.FIRST);
  }

  /** Number of its texts. */
  get count(): number {
    return this.#get(ENTRY.COUNT);
  }

  /** Where in its log the texts begin. */
  get from(): number {
    return this.#get(ENTRY.FROM);
  }

  /** Where in its log they end. */
  get to(): number {
    return this.#get(ENTRY.TO);
  }

  /** Bytes of its own file as it was. */
  get size(): number {
    return this.#get(ENTRY.SIZE);
  }

  /** True where it cannot be indexed as it is, and is scanned. */
  get passed_over(): boolean {
    return this.#get(ENTRY.PASSED_OVER) === 1;
  }

  /** True where what is behind its end is read from there, or from its place on. */
  get grows(): boolean {
    return !Number.isNaN(this.#get(ENTRY.HEAD));
  }

  /** See {@linkcode EntryDetail.place}. */
  get place(): ReadPlace | undefined {
    return this.#more?.place;
  }

  /** All files that the session was read from, where its detail tells. */
  get paths(): readonly string[] {
    return this.#more?.stamps.map(({ path }) => path) ?? [];
  }

  /** See {@linkcode EntryDetail.behind}. */
  get behind(): number | undefined {
    return this.#more?.behind;
  }

  /** What is known of each text; read when it is asked for, for few sessions are. */
  get numbers(): Float64Array {
    return this.#numbers ??= this.#reader.numbers(this.#index);
  }

  /** The ids of its threads, the main one first, where it has others. */
  get threads(): readonly string[] | undefined {
    return this.#more?.threads;
  }

  /**
   * Whether the session's files are as they were.
   *
   * @param path Its own file. @param seen That file as somebody saw it just now.
   */
  isUnchanged(path: string, seen: SessionState | undefined): boolean {
    const more = this.#more;
    if (more !== undefined) return more.stamps.every((stamp) => isUnchanged(stamp));
    const [mtime, ctime] = [this.#get(ENTRY.MTIME), this.#get(ENTRY.CTIME)];
    const stamp = { path, size: this.size, ino: this.#get(ENTRY.INO), mtime, ctime };
    return isUnchanged(stamp, seen);
  }

  /**
   * True if a file is what it was, with more behind it, and all others of the session are.
   *
   * @param size Its bytes now.
   */
  hasGrown(path: string, size: number): boolean {
    if (!this.grows || size < this.size) return false;
    const others = this.#more?.stamps.filter((stamp) => stamp.path !== path) ?? [];
    if (!others.every((stamp) => isUnchanged(stamp))) return false;
    // Another agent's file of the same size was written over.
    if (this.place !== undefined && size === this.size) return false;
    if (stampFile(path).ino !== this.#get(ENTRY.INO)) return false;
    const now = edgeChecksums(path, this.to);
    return now !== undefined && now[0] === this.#get(ENTRY.HEAD) &&
      now[1] === this.#get(ENTRY.TAIL);
  }
}

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
