/**
 * A file of the index, open for queries. It is read only if its checksum is right, because a
 * damaged database seldom says so.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { foldText } from "../fold.ts";
import { checksumFile, type SegmentFile } from "./index_folder.ts";
import { unpackNumbers } from "./indexed_texts.ts";
import type { Term } from "../query.ts";
import type { IndexEntry } from "./segment_writer.ts";

/** What of a session a file of the index knows. */
export interface SegmentEntry extends IndexEntry {
  /** Number of its first text among all of the file. */
  first: number;
  count: number;
  /** What is known of each text; read when it is asked for, for few sessions are. */
  readonly numbers: Float64Array;
}

/** An open file of the index. */
export class Segment {
  readonly file: SegmentFile;
  readonly entries: readonly SegmentEntry[];
  /** One more than the number of the last text. */
  readonly end: number;
  readonly #database: DatabaseSync;

  private constructor(file: SegmentFile, database: DatabaseSync) {
    this.file = file;
    this.#database = database;
    const numbers = database.prepare("SELECT numbers FROM entry WHERE rowid = ?");
    const readNumbers = (rowid: number): Float64Array =>
      unpackNumbers(numbers.get(rowid)?.numbers as Uint8Array);
    const sql = "SELECT rowid, ref, path, detail, first, count FROM entry ORDER BY first, rowid";
    this.entries = database.prepare(sql).all().map((row) => toEntry(row, readNumbers));
    this.end = this.entries.reduce((end, { first, count }) => Math.max(end, first + count), 1);
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

  /** The numbers of the texts that may have a term: none is missing. Undefined where it cannot tell. */
  textsWith(term: Term): readonly number[] | undefined {
    const match = trigramQuery(term);
    if (match === undefined) return undefined;
    const sql = "SELECT json_group_array(rowid) AS numbers FROM text WHERE text MATCH ?";
    return JSON.parse(String(this.#database.prepare(sql).get(match)?.numbers)) as number[];
  }
}

function toEntry(
  { rowid, ref, path, detail, first, count }: Record<string, unknown>,
  readNumbers: (rowid: number) => Float64Array,
): SegmentEntry {
  let known: Float64Array | undefined;
  return {
    ...JSON.parse(String(detail)) as IndexEntry,
    ref: String(ref),
    path: String(path),
    first: Number(first),
    count: Number(count),
    get numbers(): Float64Array {
      return known ??= readNumbers(Number(rowid));
    },
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
