/**
 * A file of the index, open for queries. It is read only if its checksum is right, because a
 * damaged database seldom says so.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
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

  /** Opens a file; undefined where it is gone, or not what it was. */
  static open(directory: string, file: SegmentFile): Segment | undefined {
    const path = join(directory, file.file);
    const sum = checksumFile(path);
    if (sum?.crc !== file.crc || sum.bytes !== file.bytes) return undefined;
    try {
      const address = new URL("?immutable=1", pathToFileURL(path));
      return new Segment(file, new DatabaseSync(address, { readOnly: true }));
    } catch {
      // It is as it was written, and yet no database that this version reads.
      return undefined;
    }
  }

  /** What is known of the session at a place of the rows. */
  entry(index: number): SegmentEntry {
    return new SegmentEntry(this.rows, index, this.#reader);
  }

  /**
   * Marks the texts that may have a term: none is missing. Undefined where it cannot tell. Of a group
   * of texts, it tells what one of them may have.
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
/** More of a long text tell hardly more. */
const MOST_GRAMS = 24;

/** All groups of three characters of a term's cores, as a query; undefined where it has none. */
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

/** One text, as far as it can be ranked without being read. */
export interface IndexedText {
  seq: number;
  role: SearchRole;
  /** Milliseconds since 1970; NaN where nothing tells. */
  time: number;
  /** Characters. */
  size: number;
  /** Which of the entry's threads it stands in: 0 is the main one. */
  thread: number;
  /** Where its line lies in a log of ours. */
  offset: number;
  length: number;
}

/** Numbers of one text. */
const WIDTH = 7;

/** Texts as numbers. */
export function packTexts(texts: readonly IndexedText[]): Uint8Array {
  const numbers = new Float64Array(texts.length * WIDTH);
  for (const [index, { seq, role, time, size, offset, length, thread }] of texts.entries()) {
    const roleNumber = SEARCH_ROLES.indexOf(role);
    numbers.set([seq, roleNumber, time, size, offset, length, thread], index * WIDTH);
  }
  return new Uint8Array(numbers.buffer);
}

/** Numbers as bytes. */
export function packNumbers(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(numbers).buffer);
}

/** Numbers as they were packed, wherever their bytes lie. */
export function unpackNumbers(bytes: Uint8Array): Float64Array {
  return new Float64Array(bytes.slice().buffer);
}

/** The number of a packed text's event. */
export function seqAt(numbers: Float64Array, index: number): number {
  return numbers[index * WIDTH] ?? NaN;
}

/** When a packed text was said; NaN where nothing tells. */
export function timeAt(numbers: Float64Array, index: number): number {
  return numbers[index * WIDTH + 2] ?? NaN;
}

/** Who said a packed text. */
export function roleAt(numbers: Float64Array, index: number): SearchRole {
  return SEARCH_ROLES[numbers[index * WIDTH + 1] ?? 0] ?? "tool";
}

/** Characters of a packed text. */
export function sizeAt(numbers: Float64Array, index: number): number {
  return numbers[index * WIDTH + 3] ?? NaN;
}

/** Which of the entry's threads a packed text stands in. */
export function threadAt(numbers: Float64Array, index: number): number {
  return numbers[index * WIDTH + 6] ?? 0;
}

/** A packed text. */
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
