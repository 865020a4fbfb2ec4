/**
 * The catalogue's file in the cache folder. A link, a pipe, a damaged file or one of another version
 * counts as missing. It is never changed in place, so an open reader continues with the file that
 * it opened.
 */
import { join } from "node:path";
import { openOwnFile } from "../../log/own_file.ts";
import { readWhole } from "../../log/read_whole.ts";
import { writeWhole } from "../../log/write_whole.ts";
import { type OpenFile, SeekMode } from "../../platform/file_system.ts";
import {
  CatalogueColumns,
  type ColumnEntry,
  decodeHeader,
  encodeColumns,
  HEADER_BYTES,
} from "./catalogue_columns.ts";
import { type CatalogueRow, decodeRow } from "./catalogue_row.ts";
import { replaceCacheFile } from "./replace_file.ts";

const FILE = "catalogue";

/** Returns the absolute path of the catalogue in a cache folder. */
export function cataloguePath(folder: string): string {
  return join(folder, FILE);
}

/** Bytes to read ahead: more and more while rows are asked for in the file's order. */
const [LEAST_BYTES, MOST_BYTES] = [16 * 1024, 1024 * 1024];

/** A catalogue's file that is open: its columns, and its rows as they are asked for. */
export class CatalogueFile {
  readonly columns: CatalogueColumns;
  readonly #file: OpenFile;
  readonly #rowsStart: number;
  readonly #rowsBytes: number;
  #window = { offset: 0, bytes: new Uint8Array(0) };
  #ahead = 0;
  #indexes: Map<number, number> | undefined;
  #next = 0;

  private constructor(file: OpenFile, columns: CatalogueColumns, start: number, bytes: number) {
    this.#file = file;
    this.columns = columns;
    this.#rowsStart = start;
    this.#rowsBytes = bytes;
  }

  /** Opens the catalogue of a cache folder; undefined where there is none that can be used. */
  static open(folder: string, program: number): CatalogueFile | undefined {
    let file: OpenFile | undefined;
    try {
      file = openOwnFile(cataloguePath(folder), { read: true });
      const opened = CatalogueFile.#decode(file, program);
      if (opened === undefined) file.close();
      return opened;
    } catch {
      // Missing, not readable, no plain file, or too large to be one of ours: it is made anew.
      file?.close();
      return undefined;
    }
  }

  static #decode(file: OpenFile, program: number): CatalogueFile | undefined {
    const { size } = file.statSync();
    const header = decodeHeader(readWhole(file, new Uint8Array(HEADER_BYTES)), program, size);
    if (header === undefined) return undefined;
    const bytes = new Uint8Array(header.head_bytes);
    file.seekSync(0, SeekMode.Start);
    if (readWhole(file, bytes).length < bytes.length) return undefined;
    const columns = CatalogueColumns.decode(bytes, header);
    if (columns === undefined) return undefined;
    return new CatalogueFile(file, columns, header.head_bytes, header.rows_bytes);
  }

  /**
   * Finds the index of a session's key; undefined where the columns do not have it. Requests come nearly
   * in the order of the file, so the next row is tried first. Mostly no table needs to be built.
   */
  find(key: number): number | undefined {
    const { count } = this.columns;
    const isNext = this.#next < count && this.columns.key(this.#next) === key;
    const index = isNext ? this.#next : (this.#indexes ??= this.#makeIndexes()).get(key);
    if (index !== undefined) this.#next = index + 1;
    return index;
  }

  #makeIndexes(): Map<number, number> {
    const indexes = new Map<number, number>();
    for (let index = 0; index < this.columns.count; index++) {
      indexes.set(this.columns.key(index), index);
    }
    return indexes;
  }

  /** Reads one row; undefined where its bytes are damaged. */
  row(index: number): CatalogueRow | undefined {
    const bytes = this.rowBytes(index);
    return bytes === undefined ? undefined : decodeRow(bytes, this.columns.place(index).crc);
  }

  /** Reads the bytes of one row, unchecked; undefined where the disk refuses them. */
  rowBytes(index: number): Uint8Array | undefined {
    const { offset, length } = this.columns.place(index);
    if (offset + length > this.#rowsBytes) return undefined;
    const end = offset + length;
    let { offset: start, bytes } = this.#window;
    if (offset < start || end > start + bytes.length) {
      const gap = offset - start - bytes.length;
      const follows = gap <= bytes.length && end > start + bytes.length;
      const more = Math.min(Math.max(2 * this.#ahead, LEAST_BYTES), MOST_BYTES);
      this.#ahead = follows ? more : 0;
      start = offset;
      const size = Math.max(length, Math.min(this.#ahead, this.#rowsBytes - start));
      bytes = this.#readAt(start, size) ?? new Uint8Array(0);
      this.#window = { offset: start, bytes };
    }
    return end > start + bytes.length ? undefined : bytes.subarray(offset - start, end - start);
  }

  #readAt(offset: number, length: number): Uint8Array<ArrayBuffer> | undefined {
    try {
      this.#file.seekSync(this.#rowsStart + offset, SeekMode.Start);
      const bytes = new Uint8Array(length);
      return readWhole(this.#file, bytes).length === length ? bytes : undefined;
    } catch {
      // The disk refuses it: the session itself is read.
      return undefined;
    }
  }

  close(): void {
    this.#file.close();
  }
}

/** A session in a new file, before its row has an offset. */
export interface NewEntry extends Omit<ColumnEntry, "offset"> {
  /** Gives the bytes of the row. */
  bytes(): Uint8Array | undefined;
}

const BLOCK_BYTES = 1024 * 1024;

/** Returns an entry of a file, to be written again. */
export function keptEntry(file: CatalogueFile, index: number): NewEntry {
  return { ...file.columns.entry(index), bytes: () => file.rowBytes(index) };
}

/**
 * Replaces the file of a cache folder. Call it under the lock.
 *
 * @param entries In the order in which sessions are asked for.
 * @throws What the system says where the folder cannot be written. Then the old file stays.
 */
export function replaceCatalogue(
  folder: string,
  program: number,
  entries: readonly NewEntry[],
): void {
  // A list asks for rows in this order: the newest lie together.
  const rows = entries.toSorted((one, other) => (other.updated || 0) - (one.updated || 0));
  const offsets = new Map<NewEntry, number>();
  let rows_bytes = 0;
  for (const row of rows) {
    offsets.set(row, rows_bytes);
    rows_bytes += row.length;
  }
  const placed = entries.map((entry) => ({ ...entry, offset: offsets.get(entry) ?? 0 }));
  replaceCacheFile(folder, cataloguePath(folder), (file) => {
    writeWhole(file, encodeColumns(placed, program, rows_bytes));
    writeRows(file, rows);
  });
}

/** Writes rows in blocks, because a write for each of 10,000 rows is slow. */
function writeRows(file: OpenFile, entries: readonly NewEntry[]): void {
  const block = new Uint8Array(BLOCK_BYTES);
  let filled = 0;
  for (const { length, bytes } of entries) {
    const row = bytes();
    if (row?.length !== length) throw new Error("a row of the old file cannot be read");
    if (filled + length > block.length) {
      writeWhole(file, block.subarray(0, filled));
      filled = 0;
    }
    if (length > block.length) writeWhole(file, row);
    else block.set(row, filled);
    if (length <= block.length) filled += length;
  }
  if (filled > 0) writeWhole(file, block.subarray(0, filled));
}
