/**
 * Opens an index file for queries. Its checksum is verified, because a damaged database seldom
 * reports damage.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { placeAtRest } from "../../reading/sqlite/sqlite_source.ts";
import { foldText } from "../fold.ts";
import type { Term } from "../query.ts";
import { SEARCH_ROLES, type SearchRole } from "../searchable_text.ts";
import { checksumFile, type SegmentFile } from "./index_folder.ts";
import { type EntryDetail, type EntryReader, EntryRows, SegmentEntry } from "./segment_entry.ts";

/** An open file of the index. */
export class Segment {
  readonly file: SegmentFile;
  readonly rows: EntryRows;
  /** One more than the number of the last text. */
  readonly end: number;
  readonly #database: DatabaseSync;
  /** The numbers of the first texts of all groups. */
  readonly #groups: Float64Array;
  readonly #reader: EntryReader;

  private constructor(file: SegmentFile, database: DatabaseSync) {
    this.file = file;
    this.#database = database;
    const stored = database.prepare("SELECT numbers, groups FROM entries").get();
    this.rows = new EntryRows(stored?.numbers as Uint8Array);
    this.end = this.rows.end;
    this.#groups = unpackNumbers(stored?.groups as Uint8Array);
    this.#reader = entryReader(database);
  }

  /** Opens a file; undefined if it is gone or changed. */
  static open(directory: string, file: SegmentFile): Segment | undefined {
    const path = join(directory, file.file);
    const sum = checksumFile(path);
    if (sum?.crc !== file.crc || sum.bytes !== file.bytes) return undefined;
    try {
      return new Segment(file, new DatabaseSync(placeAtRest(path), { readOnly: true }));
    } catch {
      // Unchanged, but no database for this version of SQLite.
      return undefined;
    }
  }

  entry(index: number): SegmentEntry {
    return new SegmentEntry(this.rows, index, this.#reader);
  }

  /**
   * Marks the texts that may have a term, without exception; undefined if the index cannot tell.
   * Texts of a group are marked together.
   */
  textsWith(term: Term): Uint8Array | undefined {
    const match = trigramQuery(term);
    if (match === undefined) return undefined;
    const sql = "SELECT json_group_array(rowid) AS numbers FROM text WHERE text MATCH ?";
    const found = JSON.parse(String(this.#database.prepare(sql).get(match)?.numbers)) as number[];
    const flags = new Uint8Array(this.end);
    let group = 0;
    for (const first of found.sort((a, b) => a - b)) {
      while ((this.#groups[group] ?? Infinity) <= first) group++;
      flags.fill(1, first, this.#groups[group] ?? this.end);
    }
    return flags;
  }
}

function entryReader(database: DatabaseSync): EntryReader {
  const numbers = database.prepare("SELECT numbers FROM entry WHERE rowid = ?");
  const detail = database.prepare("SELECT detail FROM entry WHERE rowid = ?");
  return {
    numbers: (index) => unpackNumbers(numbers.get(index + 1)?.numbers as Uint8Array),
    detail: (index) => JSON.parse(String(detail.get(index + 1)?.detail)) as EntryDetail,
  };
}

const GRAM = 3;
/** Most trigrams of a query; more exclude hardly more texts. */
const MOST_GRAMS = 24;

/** Returns a query for all trigrams in a term's cores; undefined without any. */
export function trigramQuery({ cores }: Term): string | undefined {
  const grams = new Set<string>();
  for (const core of cores) {
    const characters = [...foldText(core)];
    for (let at = 0; at + GRAM <= characters.length && grams.size < MOST_GRAMS; at++) {
      grams.add(characters.slice(at, at + GRAM).join(""));
    }
  }
  if (grams.size === 0) return undefined;
  return [...grams].map((gram) => `"${gram.replaceAll('"', '""')}"`).join(" AND ");
}

/** The index's facts about one text, for ranking it unread. */
export interface IndexedText {
  seq: number;
  role: SearchRole;
  /** Milliseconds since 1970; NaN if unknown. */
  time: number;
  /** Length in characters. */
  size: number;
  /** Index of its thread in the entry; 0 is the main one. */
  thread: number;
  /** Place of its line in a Reprise log. */
  offset: number;
  length: number;
}

/** Numbers per text. */
const WIDTH = 7;

/** Packs texts as rows of numbers, because a hundred thousand of them load at once. */
export function packTexts(texts: readonly IndexedText[]): Uint8Array {
  const numbers = new Float64Array(texts.length * WIDTH);
  for (const [index, { seq, role, time, size, offset, length, thread }] of texts.entries()) {
    const roleNumber = SEARCH_ROLES.indexOf(role);
    numbers.set([seq, roleNumber, time, size, offset, length, thread], index * WIDTH);
  }
  return new Uint8Array(numbers.buffer);
}

export function packNumbers(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(numbers).buffer);
}

/** Unpacks numbers, at any alignment. */
export function unpackNumbers(bytes: Uint8Array): Float64Array {
  return new Float64Array(bytes.slice().buffer);
}

/** Returns the event number of a packed text. */
export function seqAt(numbers: Float64Array, index: number): number {
  return numbers[index * WIDTH] ?? NaN;
}

/** Returns the time of a packed text; NaN if unknown. */
export function timeAt(numbers: Float64Array, index: number): number {
  return numbers[index * WIDTH + 2] ?? NaN;
}

/** Returns the speaker of a packed text. */
export function roleAt(numbers: Float64Array, index: number): SearchRole {
  return SEARCH_ROLES[numbers[index * WIDTH + 1] ?? 0] ?? "tool";
}

/** Returns the length of a packed text in characters. */
export function sizeAt(numbers: Float64Array, index: number): number {
  return numbers[index * WIDTH + 3] ?? NaN;
}

/** Returns the thread index of a packed text. */
export function threadAt(numbers: Float64Array, index: number): number {
  return numbers[index * WIDTH + 6] ?? 0;
}

export function textAt(numbers: Float64Array, index: number): IndexedText {
  const at = index * WIDTH;
  return {
    seq: numbers[at] ?? NaN,
    role: roleAt(numbers, index),
    time: timeAt(numbers, index),
    size: sizeAt(numbers, index),
    offset: numbers[at + 4] ?? NaN,
    length: numbers[at + 5] ?? NaN,
    thread: threadAt(numbers, index),
  };
}
