/**
 * The catalogue's file in the store. Whatever is wrong with it, it counts as missing: a link, a pipe,
 * a file that is cut or damaged, of another version. It is never changed in place, so a reader that
 * has it open goes on with what it opened.
 */
import { join } from "node:path";
import { SessionError } from "../../event/session_error.ts";
import { openOrMakeOwnFile, openOwnFile } from "../../log/own_file.ts";
import { readWhole } from "../../log/read_whole.ts";
import { writeWhole } from "../../log/write_whole.ts";
import {
  CatalogueColumns,
  type ColumnEntry,
  decodeHeader,
  encodeColumns,
  HEADER_BYTES,
} from "./catalogue_columns.ts";
import { type CatalogueRow, decodeRow } from "./catalogue_row.ts";

const FILE = "catalogue";
const LOCK = "catalogue.lock";
const UNFINISHED = /^catalogue-[0-9a-f-]{36}\.tmp$/;

/** Absolute path of the catalogue of a store. */
export function cataloguePath(root: string): string {
  return join(root, FILE);
}

/** After so many rows one by one, more is read at a time. */
const SINGLE_ROWS = 64;
/** How much is read at a time then: for most stores, all rows. */
const WINDOW_BYTES = 16 * 1024 * 1024;

/** A catalogue's file that is open: its columns, and its rows as they are asked for. */
export class CatalogueFile {
  readonly columns: CatalogueColumns;
  readonly #file: Deno.FsFile;
  readonly #rowsStart: number;
  readonly #rowsBytes: number;
  #window = { offset: 0, bytes: new Uint8Array(0) };
  #read = 0;

  private constructor(file: Deno.FsFile, columns: CatalogueColumns, start: number, bytes: number) {
    this.#file = file;
    this.columns = columns;
    this.#rowsStart = start;
    this.#rowsBytes = bytes;
  }

  /** Opens the catalogue of a store; undefined where there is none that can be used. */
  static open(root: string, program: number): CatalogueFile | undefined {
    let file: Deno.FsFile | undefined;
    try {
      file = openOwnFile(cataloguePath(root), { read: true });
      const opened = CatalogueFile.#decode(file, program);
      if (opened === undefined) file.close();
      return opened;
    } catch {
      // Missing, not readable, no plain file, or too large to be one of ours: it is made anew.
      file?.close();
      return undefined;
    }
  }

  static #decode(file: Deno.FsFile, program: number): CatalogueFile | undefined {
    const { size } = file.statSync();
    const header = decodeHeader(readWhole(file, new Uint8Array(HEADER_BYTES)), program, size);
    if (header === undefined) return undefined;
    const bytes = new Uint8Array(header.head_bytes);
    file.seekSync(0, Deno.SeekMode.Start);
    if (readWhole(file, bytes).length < bytes.length) return undefined;
    const columns = CatalogueColumns.decode(bytes, header);
    if (columns === undefined) return undefined;
    return new CatalogueFile(file, columns, header.head_bytes, header.rows_bytes);
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
    if (++this.#read <= SINGLE_ROWS) return this.#readAt(offset, length);
    const end = offset + length;
    let { offset: start, bytes } = this.#window;
    if (offset < start || end > start + bytes.length) {
      start = this.#rowsBytes <= WINDOW_BYTES ? 0 : offset;
      const size = Math.max(length, Math.min(WINDOW_BYTES, this.#rowsBytes - start));
      bytes = this.#readAt(start, size) ?? new Uint8Array(0);
      this.#window = { offset: start, bytes };
    }
    return end > start + bytes.length ? undefined : bytes.subarray(offset - start, end - start);
  }

  #readAt(offset: number, length: number): Uint8Array<ArrayBuffer> | undefined {
    try {
      this.#file.seekSync(this.#rowsStart + offset, Deno.SeekMode.Start);
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

/** What a new file is made of: an entry without its place, and its row when it is written. */
export interface NewEntry extends Omit<ColumnEntry, "offset"> {
  /** Gives the bytes of the row. */
  bytes(): Uint8Array | undefined;
}

const LOCK_MS = 500;
const LOCK_STEP_MS = 4;

/**
 * Takes the lock under which the file is replaced. It never makes a store.
 *
 * @throws {SessionError} `locked` where another process does not let go of it; else as the system
 * says where the store is missing or cannot be written.
 */
export function lockCatalogue(root: string): Disposable {
  const path = join(root, LOCK);
  const file = openOrMakeOwnFile(path, { read: true, write: true });
  const deadline = performance.now() + LOCK_MS;
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  while (!file.tryLockSync(true)) {
    if (performance.now() >= deadline) {
      file.close();
      const message = "Cannot write catalogue: another process is writing it; try again";
      throw new SessionError("locked", message, { path });
    }
    Atomics.wait(nobody, 0, 0, LOCK_STEP_MS);
  }
  return {
    [Symbol.dispose](): void {
      file.unlockSync();
      file.close();
    },
  };
}

const BLOCK_BYTES = 1024 * 1024;

/**
 * Replaces the file of a store. Call it under the lock.
 *
 * @param entries In the order of their keys.
 * @throws What the system says where the store cannot be written. Then the old file stays.
 */
export function replaceCatalogue(
  root: string,
  program: number,
  entries: readonly NewEntry[],
): void {
  removeUnfinished(root);
  const path = join(root, `catalogue-${crypto.randomUUID()}.tmp`);
  let file: Deno.FsFile | undefined;
  try {
    file = Deno.openSync(path, { write: true, createNew: true, mode: 0o600 });
    let rows_bytes = 0;
    const placed = entries.map((entry): ColumnEntry => {
      const offset = rows_bytes;
      rows_bytes += entry.length;
      return { ...entry, offset };
    });
    writeWhole(file, encodeColumns(placed, program, rows_bytes));
    writeRows(file, entries);
    file.close();
    file = undefined;
    Deno.renameSync(path, cataloguePath(root));
  } catch (error) {
    file?.close();
    removeFile(path);
    throw error;
  }
}

/** A write for each of ten thousand rows would take longer than all else. */
function writeRows(file: Deno.FsFile, entries: readonly NewEntry[]): void {
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

/** Removes what a writer that was killed has left. */
function removeUnfinished(root: string): void {
  for (const { name } of Deno.readDirSync(root)) {
    if (UNFINISHED.test(name)) removeFile(join(root, name));
  }
}

/** True where anything has the catalogue's name. */
export function catalogueExists(root: string): boolean {
  try {
    Deno.lstatSync(cataloguePath(root));
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Removes the catalogue, whatever it is. */
export function removeCatalogue(root: string): void {
  Deno.removeSync(cataloguePath(root));
}

function removeFile(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // Missing already, or not ours to remove.
  }
}
