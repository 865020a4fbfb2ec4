/**
 * Writes an index file: SQLite with a full-text table of trigrams, which finds any three characters
 * of any text. The texts themselves are not stored.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { foldText } from "../fold.ts";
import { type IndexedText, packNumbers, packTexts, unpackNumbers } from "./segment.ts";
import { type EntryDetail, entryKey, EntryRows } from "./segment_entry.ts";

/** The entry of a session, for all its bytes or a range of them. */
export interface IndexEntry extends EntryDetail {
  ref: string;
  path: string;
  from: number;
  to: number;
  /** True if it cannot be indexed, so that it is scanned. */
  passed_over?: true;
  /** Checksums of the first bytes, and of the last bytes before `to`, if it can be read on. */
  edges?: [head: number, tail: number];
}

/** A journal file would remain on a full disk, and Deno refuses to go without a journal. */
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
/** Bytes of postings that are gathered before they are written. */
const GATHERED_BYTES = 12_000_000;
/** Length of a group of texts, which share one document, because neighbours share most trigrams. */
const GROUP_CHARACTERS = 16_000;
const GROUP_TEXTS = 64;

/** An unfinished index file. Readers see it only after it is sealed. */
export class SegmentWriter implements Disposable {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #insertEntry: StatementSync;
  /** The rows of all sessions, copied ones included. */
  readonly #rows: number[];
  #count: number;
  #next: number;
  #entry: { first: number; texts: IndexedText[] } | undefined;
  /** Numbers of the first text of each group. */
  readonly #groups: number[];
  #group: { first: number; pieces: string[]; size: number } | undefined;

  /** Opens an empty file, or a copy of a finished one. */
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

  /** Adds a text to the next entry. */
  add(text: IndexedText, pieces: readonly string[]): void {
    this.#entry ??= { first: this.#next, texts: [] };
    this.#entry.texts.push(text);
    this.#group ??= { first: this.#next, pieces: [], size: 0 };
    for (const one of pieces) this.#group.pieces.push(one);
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

  /** Ends the entry of the texts since the last one. */
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

  /** Leaves the texts since the last entry without one, so that searches ignore them. */
  dropEntry(): void {
    this.#entry = this.#group = undefined;
  }

  /** Writes all gathered postings and closes the file. */
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

/** Separator between remaining stretches; no term has it. */
const GRAM_BORDER = "\x1f";

const GRAM = 3;
const ASCII_BITS = 7;
const LAST_ASCII = 0x7f;
const LAST_GRAM = (1 << (GRAM * ASCII_BITS)) - 1;
const [UPPER_A, UPPER_Z, TO_LOWER] = [0x41, 0x5a, 0x20];
const LAST_CALL = 0xff;
/** The last call that saw each ASCII trigram. */
let seen: Uint8Array | undefined;
let call = 0;

/**
 * Folds texts and removes repetitions, because trigrams cost by length. Every trigram of the texts
 * remains.
 */
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
    // Trigrams beyond ASCII are rare. All are kept, so that no character is cut in two.
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

/** Returns the marks, none of which equals a future call's. */
function lastCalls(): Uint8Array {
  if (seen === undefined) seen = new Uint8Array(LAST_GRAM + 1);
  else if (call === LAST_CALL) seen.fill(0);
  call = call === LAST_CALL ? 1 : call + 1;
  return seen;
}
