/**
 * Opens and makes databases in the cache folder. They hold only data that can be rebuilt. A
 * missing, damaged or unsafe database counts as empty.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { errorText } from "../../../core/event/error_text.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { removeQuietly } from "../../../core/file/remove_quietly.ts";
import { lstatSync, openSync, readDirSync, removeSync } from "../../../core/platform/files.ts";
import { mayWrite } from "../../../core/platform/process.ts";
import { sqliteModule } from "../../../core/platform/runtime.ts";
import { isAlreadyExists, isNotFound } from "../../../core/platform/system_error.ts";
import { unsafeReason } from "../../../core/store/store_safety.ts";
import { makeCacheFolder } from "./own_cache.ts";

/** The suffix of the journal that SQLite keeps beside a database during a write. */
const JOURNAL = "-journal";
/** Milliseconds to wait for a lock. Then a write is dropped, and a read gets no cached data. */
const LOCKED_MS = 250;

/** Returns the checksum of a row's values, because SQLite does not notice a flipped bit. */
export function sumOf(values: readonly unknown[]): number {
  return crc32(values.join("\0"));
}

export class CacheDatabase implements Disposable {
  readonly #sqlite: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite;
  }

  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      this.#statements.set(sql, statement = this.#sqlite.prepare(sql));
    }
    return statement;
  }

  exec(sql: string): void {
    this.#sqlite.exec(sql);
  }

  inTransaction<Result>(begin: "BEGIN" | "BEGIN IMMEDIATE", work: () => Result): Result {
    this.#sqlite.exec(begin);
    try {
      const result = work();
      this.#sqlite.exec("COMMIT");
      return result;
    } catch (error) {
      // SQLite itself ends the transaction when it finds damage.
      if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK");
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#sqlite.close();
  }
}

/**
 * Opens a database, read-only if it cannot be written. Undefined if it is missing or unusable.
 *
 * @param check A query that fails if the database lacks the expected tables.
 */
export function openDatabase(path: string, check: string): CacheDatabase | undefined {
  try {
    if (!isOwnDatabase(path)) return undefined;
    return connected(path, { readOnly: !mayWrite(path), check });
  } catch {
    // Damaged, or not to be read.
    return undefined;
  }
}

/** True for a regular file of this user with a single link. Undefined if no file exists. */
function isOwn(path: string): boolean | undefined {
  try {
    const info = lstatSync(path);
    return info.isFile && (info.nlink ?? 1) <= 1 && unsafeReason(info) === undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function isOwnDatabase(path: string): boolean {
  return isOwn(path) === true && isOwn(path + JOURNAL) !== false;
}

/**
 * Connects to a file, or to a database in memory.
 *
 * @throws {SessionError} `unsupported-source` without SQLite. @throws SQLite's error on the file.
 */
export function connected(
  path: string,
  { readOnly = false, check }: { readOnly?: boolean; check?: string } = {},
): CacheDatabase {
  const module = sqliteModule();
  if (module === undefined) {
    const message =
      "Cannot open a database: this version of Node.js has no SQLite; install Node.js 22.15 or later";
    throw new SessionError("unsupported-source", message);
  }
  const sqlite = new module.DatabaseSync(path, { readOnly, timeout: LOCKED_MS });
  try {
    // After a power cut it may be damaged: then it is made anew.
    sqlite.exec("PRAGMA trusted_schema = off; PRAGMA secure_delete = on; PRAGMA synchronous = off");
    if (check !== undefined) sqlite.prepare(check).all();
    return new CacheDatabase(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

export interface DatabasePlace {
  folder: string;
  path: string;
  /** Cleans up `folder` after the file at `path` was newly made. */
  onMade(): void;
}

/**
 * Opens a database to write, and makes a missing database. Undefined without SQLite.
 *
 * @throws Errors of the system or of SQLite.
 */
export function openToWrite(place: DatabasePlace): CacheDatabase | undefined {
  if (sqliteModule() === undefined) return undefined;
  makeCacheFolder(place.folder);
  if (makeFile(place.path)) place.onMade();
  return connected(place.path);
}

/**
 * Runs `work` on a database. If the database is damaged, removes it and runs `work` again.
 *
 * @throws Errors of `work` other than damage of the database.
 */
export function withRepair<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeDatabase(path);
    return work();
  }
}

/** Makes an empty private file, replacing an unsafe file. Returns false if a safe file exists. */
export function makeFile(path: string): boolean {
  try {
    openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
    return true;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    if (isOwnDatabase(path)) return false;
    // A link or a pipe in our folder goes; what a link leads to stays.
    for (const one of [path + JOURNAL, path]) if (isOwn(one) === false) removeSync(one);
    return makeFile(path);
  }
}

/** True if SQLite's message says that a file is damaged. Deno may not give the error code. */
export function isDamage(error: unknown): boolean {
  return /malformed|not a database|no such (?:table|column)|has no column/.test(errorText(error));
}

export function removeDatabase(path: string): void {
  for (const one of [path, path + JOURNAL]) removeQuietly(one);
}

const UNUSED_MS = 30 * 86_400_000;

export function removeUnused(paths: readonly string[], own: string): void {
  for (const path of paths) {
    const { mtime } = lstatSync(path);
    if (path !== own && Date.now() - (mtime?.getTime() ?? 0) > UNUSED_MS) removeQuietly(path);
  }
}

export function pathsIn(folder: string, form: RegExp): string[] {
  const names = [...readDirSync(folder)].map(({ name }) => name);
  return names.filter((name) => form.test(name)).map((name) => join(folder, name));
}
