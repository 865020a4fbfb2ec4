/**
 * Writes a file of the index: SQLite with a full-text table of trigrams, which finds any three
 * characters in any text. The texts themselves are not kept.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { foldText } from "../fold.ts";
import { type IndexedText, packNumbers, packTexts, unpackNumbers } from "./segment.ts";
import { type EntryDetail, entryKey, EntryRows } from "./segment_entry.ts";

/** What of a session is indexed: all of it, or what its file has from one offset to another. */
export interface IndexEntry extends EntryDetail {
  ref: string;
  path: string;
  from: number;
  to: number;
  /** It cannot be indexed as it is, and is scanned. */
  passed_over?: true;
  /** Where it can be read on: checksums of the first bytes, and of the last ones before `to`. */
  edges?: [head: number, tail: number];
}

/** A journal in a file would stay behind where the disk is full, and Deno refuses to have none. */
const SCHEMA = `
PRAGMA page_size = 8192;
PRAGMA journal_mode = MEMORY;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -16000;
CREATE TABLE IF NOT EXISTS entries (numbers BLOB NOT NULL, groups BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS entry (numbers BLOB NOT NULL, detail TEXT);
CREATE VIRTUAL TABLE IF NOT EXISTS text USING fts5(
  body, content='', detail=none, columnsize=0, tokenize='trigram case_sensitive 1'
);`;
/** Postings that are gathered before they are written. */
const GATHERED_BYTES = 12_000_000;
/** Neighbours share most of their trigrams: of a group of texts, each is written once. */
const GROUP_CHARACTERS = 16_000;
const GROUP_TEXTS = 64;

/** A file of the index in the making; nobody else reads it before it is sealed. */
export class SegmentWriter implements Disposable {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #insertEntry: StatementSync;
  /** The rows of all sessions, of those that were copied too. */
  readonly #rows: number[];
  #count: number;
  #next: number;
  #entry: { first: number; texts: IndexedText[] } | undefined;
  /** The numbers of the first texts of all groups. */
  readonly #groups: number[];
  #group: { first: number; pieces: string[]; size: number } | undefined;

  /** Opens an empty file, or a copy of one that was written before. */
  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    this.#database.exec(SCHEMA);
    this.#database.exec(`INSERT INTO text(text, rank) VALUES ('hashsize', ${GATHERED_BYTES})`);
    this.#insert = this.#database.prepare("INSERT INTO text(rowid, body) VALUES (?, ?)");
    const sql = "INSERT INTO entry(rowid, numbers, detail) VALUES (?, ?, ?)";
    this.#insertEntry = this.#database.prepare(sql);
    const stored = this.#database.prepare("SELECT numbers, groups FROM entries").get();
    const before = new EntryRows(stored?.numbers as Uint8Array | undefined ?? new Uint8Array(0));
    this.#groups = stored === undefined ? [] : [...unpackNumbers(stored.groups as Uint8Array)];
    this.#rows = before.numbers();
    this.#count = before.count;
    this.#next = before.end;
    this.#database.exec("BEGIN");
  }

  /** Adds a text, which belongs to the next entry. */
  add(text: IndexedText, pieces: readonly string[]): void {
    this.#entry ??= { first: this.#next, texts: [] };
    this.#entry.texts.push(text);
    this.#group ??= { first: this.#next, pieces: [], size: 0 };
    this.#group.pieces.push(...pieces);
    this.#group.size += text.size;
    this.#next++;
    const { first, size } = this.#group;
    if (this.#next - first >= GROUP_TEXTS || size >= GROUP_CHARACTERS) this.#endGroup();
  }

  #endGroup(): void {
    if (this.#group === undefined) return;
    const { first, pieces } = this.#group;
    this.#insert.run(first, distinctGrams(pieces));
    this.#groups.push(first);
    this.#group = undefined;
  }

  /** Says of what session the texts are that were added since the last entry. */
  endEntry(entry: IndexEntry): void {
    const { path, from, to, passed_over = false, edges = [NaN, NaN] } = entry;
    const { stamps, threads, place, behind } = entry;
    const { first, texts } = this.#entry ?? { first: this.#next, texts: [] };
    this.#entry = undefined;
    this.#endGroup();
    const [own = { path: "", size: -1, mtime: 0, ctime: 0, ino: 0 }] = stamps;
    const detailed = stamps.length !== 1 || own.path !== path || threads !== undefined ||
      place !== undefined || behind !== undefined;
    // In the order of ENTRY.
    this.#rows.push(
      ...[entryKey(entry), first, texts.length, from, to],
      ...[own.size, own.mtime, own.ctime, own.ino],
      ...[...edges, Number(passed_over), Number(detailed)],
    );
    const detail = detailed ? JSON.stringify({ stamps, threads, place, behind }) : null;
    this.#insertEntry.run(++this.#count, packTexts(texts), detail);
  }

  /** Leaves the texts that were added since the last entry without one: nobody finds them. */
  dropEntry(): void {
    this.#entry = this.#group = undefined;
  }

  /** Writes all that is gathered, and closes the file. */
  finish(): void {
    this.#database.exec("DELETE FROM entries");
    this.#database.prepare("INSERT INTO entries VALUES (?, ?)")
      .run(packNumbers(this.#rows), packNumbers(this.#groups));
    this.#database.exec("COMMIT");
    this.#database.close();
  }

  [Symbol.dispose](): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

/** Stands between what is left; no term has it. */
export const GRAM_BORDER = "\x1f";

const GRAM = 3;
const ASCII_BITS = 7;
const LAST_ASCII = 0x7f;
const LAST_GRAM = (1 << (GRAM * ASCII_BITS)) - 1;
const [UPPER_A, UPPER_Z, TO_LOWER] = [0x41, 0x5a, 0x20];
const LAST_CALL = 0xff;
/** For each group of three ASCII characters, the last call that had it. */
let seen: Uint8Array | undefined;
let call = 0;

/** A shorter text, folded, in which each group of three characters stands that stands in a text. */
export function distinctGrams(texts: readonly string[]): string {
  const last = lastCalls();
  const parts: string[] = [];
  for (const text of texts) addGrams(text, last, parts);
  // SQLite ends a text at a NUL.
  return foldText(parts.join(GRAM_BORDER)).replaceAll("\0", GRAM_BORDER);
}

function addGrams(text: string, last: Uint8Array, parts: string[]): void {
  let start = -1;
  let [gram, wide] = [0, -1];
  for (let at = 0; at < text.length; at++) {
    let unit = text.charCodeAt(at);
    if (unit >= UPPER_A && unit <= UPPER_Z) unit |= TO_LOWER;
    else if (unit > LAST_ASCII) wide = at;
    gram = ((gram << ASCII_BITS) | unit) & LAST_GRAM;
    const first = at - GRAM + 1;
    if (first < 0) continue;
    // Groups with others than ASCII are few: each is kept, so that no character is cut in two.
    if (wide >= first || last[gram] !== call) {
      if (wide < first) last[gram] = call;
      if (start < 0) start = first;
    } else if (start >= 0) {
      parts.push(text.slice(start, at));
      start = -1;
    }
  }
  if (start >= 0) parts.push(text.slice(start));
}

/** The marks, none of which is that of a call to come. */
function lastCalls(): Uint8Array {
  if (seen === undefined) seen = new Uint8Array(LAST_GRAM + 1);
  else if (call === LAST_CALL) seen.fill(0);
  call = call === LAST_CALL ? 1 : call + 1;
  return seen;
}
