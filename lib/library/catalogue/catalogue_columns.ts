/**
 * The head of the catalogue's file. Its columns decide which sessions are known and wanted, without
 * parsing a row. The rows follow as JSON. Pure.
 */
import { crc32 } from "node:zlib";
import { type SessionState, STATE_FIELDS } from "./session_state.ts";

/** One session in the columns. */
export interface ColumnEntry {
  /** Digest of the session's name: see {@linkcode sessionKey}. Its row tells the name itself. */
  key: number;
  agent: string;
  state: SessionState;
  /** Milliseconds: the last update; NaN where it is not known. */
  updated: number;
  /** Working directory, without NUL; empty where it is not known. */
  cwd: string;
  archived: boolean;
  /** Made from another agent's session: it may be a copy that a list leaves out. */
  imported: boolean;
  /** True if the file holds no session. */
  empty: boolean;
  /** The row names files of other sessions, which count too. */
  more: boolean;
  /** Offset of its row among the rows. */
  offset: number;
  /** Bytes of its row. */
  length: number;
  /** Checksum of its row. */
  crc: number;
}

/** The header of the file. */
export interface CatalogueHeader {
  count: number;
  /** Bytes of header and columns: the offset of the rows. */
  head_bytes: number;
  rows_bytes: number;
}

/** Raised whenever the meaning of a byte, or the rules by which sessions are summarized, change. */
const VERSION = 5;
const MAGIC = [0x72_63_70_72, 0x0a_74_61_63];
const KEY = STATE_FIELDS.length;
const UPDATED = KEY + 1;
const FLOATS = UPDATED + 1;
const INTEGERS = 6;
const ARCHIVED = 1;
const IMPORTED = 2;
const EMPTY = 4;
const MORE = 8;

/** Bytes of the header: a multiple of eight, so that the floats behind it are aligned. */
export const HEADER_BYTES = 48;
const CRC_AT = 11;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Gives the bytes of header and columns.
 *
 * @param program Digest of the version that writes: another version may summarize differently.
 */
export function encodeColumns(
  entries: readonly ColumnEntry[],
  program: number,
  rows_bytes: number,
): Uint8Array {
  const count = entries.length;
  const table = new Map<string, number>([["", 0]]);
  for (const { cwd, agent } of entries) {
    for (const name of [cwd, agent]) if (!table.has(name)) table.set(name, table.size);
  }
  const names = encoder.encode([...table.keys()].join("\0"));
  const text = HEADER_BYTES + count * (FLOATS * 8 + INTEGERS * 4);
  const bytes = new Uint8Array(text + names.length);
  const floats = new Float64Array(bytes.buffer, HEADER_BYTES, count * FLOATS);
  const integers = new Uint32Array(
    bytes.buffer,
    HEADER_BYTES + floats.byteLength,
    count * INTEGERS,
  );
  for (const [index, entry] of entries.entries()) {
    for (const [column, field] of STATE_FIELDS.entries()) {
      floats[column * count + index] = entry.state[field];
    }
    floats[KEY * count + index] = entry.key;
    floats[UPDATED * count + index] = entry.updated;
    const { offset, length, crc, cwd, agent } = entry;
    const flags = (entry.archived ? ARCHIVED : 0) | (entry.imported ? IMPORTED : 0) |
      (entry.empty ? EMPTY : 0) | (entry.more ? MORE : 0);
    const texts = [table.get(cwd) ?? 0, table.get(agent) ?? 0];
    const values = [offset, length, crc, ...texts, flags];
    for (const [column, value] of values.entries()) integers[column * count + index] = value;
  }
  bytes.set(names, text);
  new Float64Array(bytes.buffer, 32, 1)[0] = rows_bytes;
  const header = new Uint32Array(bytes.buffer, 0, HEADER_BYTES / 4);
  header.set([...MAGIC, VERSION, program, count, names.length]);
  header[CRC_AT] = checksum(bytes);
  return bytes;
}

/** Returns the checksum of all bytes but its own. */
function checksum(bytes: Uint8Array): number {
  return crc32(bytes.subarray(HEADER_BYTES), crc32(bytes.subarray(0, CRC_AT * 4)));
}

/**
 * Reads a header.
 *
 * @param size Bytes of the whole file, which must be those that the header tells.
 * @returns Undefined where it is none, or of another version or program.
 */
export function decodeHeader(
  bytes: Uint8Array,
  program: number,
  size: number,
): CatalogueHeader | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const copy = bytes.slice(0, HEADER_BYTES);
  const header = new Uint32Array(copy.buffer);
  const [first, second, version, writer, count = 0, names = 0] = header;
  const [rows_bytes = NaN] = new Float64Array(copy.buffer, 32, 1);
  const known = first === MAGIC[0] && second === MAGIC[1] && version === VERSION &&
    writer === program;
  const head_bytes = HEADER_BYTES + count * (FLOATS * 8 + INTEGERS * 4) + names;
  return known && head_bytes + rows_bytes === size ? { count, head_bytes, rows_bytes } : undefined;
}

/** The columns of a catalogue as they were read. */
export class CatalogueColumns {
  readonly count: number;
  readonly #floats: Float64Array;
  readonly #integers: Uint32Array;
  readonly #names: readonly string[];

  private constructor(bytes: Uint8Array<ArrayBuffer>, count: number) {
    this.count = count;
    this.#floats = new Float64Array(bytes.buffer, HEADER_BYTES, count * FLOATS);
    const integers = HEADER_BYTES + this.#floats.byteLength;
    this.#integers = new Uint32Array(bytes.buffer, integers, count * INTEGERS);
    const text = integers + this.#integers.byteLength;
    this.#names = decoder.decode(bytes.subarray(text)).split("\0");
  }

  /** Reads header and columns; undefined where a bit of them is not as it was written. */
  static decode(
    bytes: Uint8Array<ArrayBuffer>,
    { count, head_bytes }: CatalogueHeader,
  ): CatalogueColumns | undefined {
    if (bytes.length !== head_bytes || bytes.byteOffset !== 0) return undefined;
    const [stored] = new Uint32Array(bytes.buffer, CRC_AT * 4, 1);
    return stored === checksum(bytes) ? new CatalogueColumns(bytes, count) : undefined;
  }

  #integer(column: number, index: number): number {
    return this.#integers[column * this.count + index] ?? 0;
  }

  #float(column: number, index: number): number {
    return this.#floats[column * this.count + index] ?? NaN;
  }

  /** True where the session at `index` has this state. */
  hasState(index: number, state: SessionState): boolean {
    return this.#float(0, index) === state.size && this.#float(1, index) === state.mtime &&
      this.#float(2, index) === state.ctime && this.#float(3, index) === state.ino &&
      this.#float(4, index) === state.others;
  }

  key(index: number): number {
    return this.#float(KEY, index);
  }

  updated(index: number): number {
    return this.#float(UPDATED, index);
  }

  agent(index: number): string {
    return this.#names[this.#integer(4, index)] ?? "";
  }

  cwd(index: number): string {
    return this.#names[this.#integer(3, index)] ?? "";
  }

  archived(index: number): boolean {
    return (this.#integer(5, index) & ARCHIVED) !== 0;
  }

  imported(index: number): boolean {
    return (this.#integer(5, index) & IMPORTED) !== 0;
  }

  empty(index: number): boolean {
    return (this.#integer(5, index) & EMPTY) !== 0;
  }

  more(index: number): boolean {
    return (this.#integer(5, index) & MORE) !== 0;
  }

  /** Returns the row's offset, length and checksum. */
  place(index: number): { offset: number; length: number; crc: number } {
    return {
      offset: this.#integer(0, index),
      length: this.#integer(1, index),
      crc: this.#integer(2, index),
    };
  }

  /** Returns all columns of a session. */
  entry(index: number): ColumnEntry {
    const state = Object.fromEntries(
      STATE_FIELDS.map((field, column) => [field, this.#float(column, index)]),
    ) as unknown as SessionState;
    return {
      key: this.key(index),
      agent: this.agent(index),
      state,
      updated: this.updated(index),
      cwd: this.cwd(index),
      archived: this.archived(index),
      imported: this.imported(index),
      empty: this.empty(index),
      more: this.more(index),
      ...this.place(index),
    };
  }
}
