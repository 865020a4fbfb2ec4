/**
 * Opens the database of facts about sessions: a file in the cache folder. It holds no truth. A
 * missing, damaged or unsafe one counts as empty.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { join } from "node:path";
import { errorText } from "../../event/error_text.ts";
import { crc32 } from "node:zlib";
import { removeQuietly } from "../../file/remove_quietly.ts";
import { lstatSync, openSync, readDirSync, removeSync } from "../../platform/files.ts";
import { mayWrite } from "../../platform/process.ts";
import { sqliteModule } from "../../platform/runtime.ts";
import { isAlreadyExists, isNotFound } from "../../platform/system_error.ts";
import { unsafeReason } from "../../session/store_safety.ts";
import { makeCacheFolder } from "../cache/own_cache.ts";
import { type CatalogueOptions, programOf } from "./catalogue_options.ts";

/** Raised whenever a table, or a rule by which sessions are summarized, changes. */
const VERSION = 1;
const NAME = /^library-[0-9a-f]{8}\.db$/;
/** Matches files that earlier versions kept in its place. */
const FORMER = /^catalogue(?:\.located-.*)?$/;
/** Ends the name of what SQLite keeps beside a database while it writes. */
const JOURNAL = "-journal";
const LOCKED_MS = 250;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS session (
  key INTEGER PRIMARY KEY,
  agent TEXT NOT NULL,
  id TEXT NOT NULL,
  size REAL NOT NULL, mtime REAL NOT NULL, ctime REAL NOT NULL, ino REAL NOT NULL,
  others REAL NOT NULL,
  updated REAL,
  cwd TEXT NOT NULL,
  flags INTEGER NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS session_row (
  key INTEGER PRIMARY KEY,
  json TEXT NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS located (
  agent TEXT NOT NULL,
  key INTEGER NOT NULL,
  json TEXT NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (agent, key)
) STRICT, WITHOUT ROWID;`;

/** Returns the absolute path of the database in a cache folder. */
export function factsPath({ folder, version = "" }: CatalogueOptions & { folder: string }): string {
  const program = programOf(`${version} ${VERSION}`).toString(16).padStart(8, "0");
  return join(folder, `library-${program}.db`);
}

/** Returns the checksum of a row: SQLite does not notice a flipped bit. */
export function sumOf(values: readonly unknown[]): number {
  return crc32(values.join("\0"));
}

/** A database that is open. */
export class FactsDatabase implements Disposable {
  readonly #sqlite: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite;
  }

  /** Returns a statement, prepared once. */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      this.#statements.set(sql, statement = this.#sqlite.prepare(sql));
    }
    return statement;
  }

  /** Writes in one transaction. */
  write(change: () => void): void {
    // A read that becomes a write would be refused at once where another process writes.
    this.#sqlite.exec("BEGIN IMMEDIATE");
    try {
      change();
      this.#sqlite.exec("COMMIT");
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

/** Opens the database of a cache folder; undefined where there is none that can be used. */
export function openFacts(options: CatalogueOptions): FactsDatabase | undefined {
  const { folder } = options;
  const sqlite = sqliteModule();
  if (folder === undefined || sqlite === undefined) return undefined;
  try {
    const path = factsPath({ ...options, folder });
    if (!isOwnDatabase(path)) return undefined;
    const readOnly = !mayWrite(path);
    return opened(new sqlite.DatabaseSync(path, { readOnly, timeout: LOCKED_MS }));
  } catch {
    // Damaged, or not to be read: the sessions themselves are read.
    return undefined;
  }
}

/** True for a regular file of our own with one name; undefined where there is none. */
function isOwn(path: string): boolean | undefined {
  try {
    const info = lstatSync(path);
    return info.isFile && (info.nlink ?? 1) <= 1 && unsafeReason(info) === undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** True where a database, and the journal beside it, are our own. */
function isOwnDatabase(path: string): boolean {
  return isOwn(path) === true && isOwn(path + JOURNAL) !== false;
}

/** Sets a database up. It is closed where `check` throws, because it cannot be used. */
function prepared(sqlite: DatabaseSync, check?: () => void): FactsDatabase {
  try {
    // After a power cut it may be damaged: then it is made anew.
    sqlite.exec("PRAGMA trusted_schema = off; PRAGMA secure_delete = on; PRAGMA synchronous = off");
    check?.();
    return new FactsDatabase(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function opened(sqlite: DatabaseSync): FactsDatabase {
  return prepared(sqlite, () => sqlite.prepare("SELECT key FROM located LIMIT 0").all());
}

/**
 * Writes in the database of a cache folder, which is made where it is missing or damaged.
 *
 * @throws What the system or SQLite says where that cannot be done. Then nothing was written.
 */
export function writeFacts(
  options: CatalogueOptions,
  change: (facts: FactsDatabase) => void,
): void {
  const { folder } = options;
  const sqlite = sqliteModule();
  if (folder === undefined || sqlite === undefined) return;
  makeCacheFolder(folder);
  const path = factsPath({ ...options, folder });
  const run = (): void => {
    if (makeFile(path)) removeUnused(folder, path);
    const database = new sqlite.DatabaseSync(path, { timeout: LOCKED_MS });
    using facts = prepared(database);
    facts.write(() => {
      // In the same transaction: each table of its own would wait for the disk.
      database.exec(SCHEMA);
      change(facts);
    });
  };
  try {
    run();
  } catch (error) {
    if (!isDamage(error)) throw error;
    for (const one of [path, path + JOURNAL]) removeQuietly(one);
    run();
  }
}

/** Makes an empty file that only its owner can read; false where there is one. */
function makeFile(path: string): boolean {
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

/** True where SQLite says that a file is damaged: Deno does not always tell the code. */
function isDamage(error: unknown): boolean {
  return /malformed|not a database|no such table/.test(errorText(error));
}

const UNUSED_MS = 30 * 86_400_000;

/** Removes databases that no version has written for a month, and the files that were there before. */
function removeUnused(folder: string, own: string): void {
  for (const { name } of readDirSync(folder)) {
    if (FORMER.test(name)) removeQuietly(join(folder, name));
  }
  for (const path of factsIn(folder)) {
    const { mtime } = lstatSync(path);
    if (path !== own && Date.now() - (mtime?.getTime() ?? 0) > UNUSED_MS) removeQuietly(path);
  }
}

/** Returns the databases in a cache folder, of whatever version. */
export function factsIn(folder: string): string[] {
  const names = [...readDirSync(folder)].map(({ name }) => name);
  return names.filter((name) => NAME.test(name)).map((name) => join(folder, name));
}
