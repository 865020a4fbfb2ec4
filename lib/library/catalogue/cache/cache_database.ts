/**
 * Opens and makes databases in the cache folder. They hold no truth: a missing, damaged or unsafe one
 * counts as empty.
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
/** Milliseconds to wait for a lock. Then a write is dropped; a read does without the database. */
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

  /** Returns the prepared statement of a query. Each query is prepared once. */
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

  /** Does some work in one transaction. @param begin The statement that begins it. */
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
 * Opens a database; undefined if it is missing or cannot be used.
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

/** True for a regular file of this user with a single link; undefined if no file is there. */
function isOwn(path: string): boolean | undefined {
  try {
    const info = lstatSync(path);
    return info.isFile && (info.nlink ?? 1) <= 1 && unsafeReason(info) === undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** True if a database and its journal, if there is one, are safe files of this user. */
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
  /** Clears the folder when the file is made. */
  onMade(): void;
}

/**
 * Opens a database to write, and makes a missing database; undefined without SQLite.
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

/** Makes an empty file that only its owner can read. Returns false if this user has one there. */
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

/** Removes a database and its journal. */
export function removeDatabase(path: string): void {
  for (const one of [path, path + JOURNAL]) removeQuietly(one);
}

const UNUSED_MS = 30 * 86_400_000;

/** Removes databases that were not written for a month, except `own`. */
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
