/**
 * Opens the database of facts about sessions: a file in the cache folder. It holds only data that
 * can be rebuilt. A missing, damaged or unsafe database counts as empty.
 */
import type { StatementSync } from "node:sqlite";
import { mayWrite } from "../../core/platform/process.ts";
import {
  type CacheDatabase,
  connected,
  isDamage,
  openDatabase,
  removeDatabase,
} from "./cache/cache_database.ts";
import { makeCacheFolder } from "./cache/own_cache.ts";
import type { CatalogueOptions } from "./catalogue_options.ts";
import { factsPath, inodeOf, makeFactsFile } from "./facts_file.ts";

/** The tables of facts that come from reading a session whole. Each has one row for a session. */
export const FACT_TABLES = ["usage", "touch", "place"] as const;

/** The SQL of the tables. Kept short: a flipped bit in the stored schema costs all rows. */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS session (
  key INTEGER PRIMARY KEY, agent TEXT, id TEXT,
  size REAL, mtime REAL, ctime REAL, ino REAL, others REAL,
  updated REAL, cwd TEXT, flags INTEGER, sum INTEGER
) STRICT;
CREATE TABLE IF NOT EXISTS session_row (key INTEGER PRIMARY KEY, json TEXT, sum INTEGER) STRICT;
CREATE TABLE IF NOT EXISTS located (
  agent TEXT, key INTEGER, json TEXT, sum INTEGER, PRIMARY KEY (agent, key)
) STRICT, WITHOUT ROWID;
${
  FACT_TABLES.map((table) =>
    `CREATE TABLE IF NOT EXISTS ${table} (
  key INTEGER PRIMARY KEY, agent TEXT, id TEXT, json TEXT, sum INTEGER
) STRICT;`
  ).join("\n")
}
CREATE TABLE IF NOT EXISTS usage_sums (question INTEGER PRIMARY KEY, json TEXT, sum INTEGER) STRICT;
CREATE TABLE IF NOT EXISTS response (
  session INTEGER, place INTEGER, key INTEGER, seconds INTEGER, model INTEGER, thread INTEGER,
  input INTEGER, output INTEGER, cache_read INTEGER, cache_write INTEGER, reasoning INTEGER,
  cache_write_1h INTEGER, cost INTEGER, PRIMARY KEY (session, place)
) STRICT, WITHOUT ROWID;`;

// Verbatim: SQLite.
export const DAMAGED = "database disk image is malformed";

/** The databases that are open in this process by path. All users share one connection. */
const OPEN = new Map<string, FactsDatabase>();

/**
 * The database of session facts in a cache folder. If the file is missing or unreadable, an empty
 * database in memory serves reads. A write creates the file.
 */
export class FactsDatabase implements Disposable {
  readonly #folder: string | undefined;
  readonly #path: string | undefined;
  #database: CacheDatabase | undefined;
  /** The inode of the file that is open for writing. Undefined if none is open. */
  #written: number | undefined;
  #users = 0;

  /** @param path Absent for a database that lies in memory alone. */
  constructor(folder?: string, path?: string) {
    this.#folder = folder;
    this.#path = path;
  }

  /** Counts one more user. The database closes when its last user disposes of it. */
  shared(): this {
    this.#users++;
    return this;
  }

  /** Returns a query's prepared statement. Use it at once: a write may open another file. */
  prepare(sql: string): StatementSync {
    return this.#opened().prepare(sql);
  }

  run(sql: string): void {
    this.#opened().exec(sql);
  }

  /** Runs a function whose queries all see one state of the file. */
  ask<Answer>(question: () => Answer): Answer {
    return this.#opened().inTransaction("BEGIN", question);
  }

  /**
   * Removes the file if SQLite finds damage in it. To be called if the checksum of a row is wrong.
   */
  examine(): void {
    try {
      const found = this.prepare("PRAGMA integrity_check(1)").get()?.integrity_check;
      if (found !== "ok") this.discard(new Error(DAMAGED));
    } catch (error) {
      this.discard(error);
    }
  }

  /** Removes the file if an error says that it is damaged. The next write makes a new one. */
  discard(error: unknown): void {
    if (this.#path === undefined || !isDamage(error)) return;
    this.#close();
    removeDatabase(this.#path);
  }

  /**
   * Writes in one transaction. Replaces a damaged file.
   *
   * @returns False if the file cannot be written or another process writes. Nothing changed then.
   */
  write(change: () => void): boolean {
    try {
      this.#write(change);
      return true;
    } catch (error) {
      if (this.#path === undefined || !isDamage(error)) return false;
      this.discard(error);
    }
    try {
      this.#write(change);
      return true;
    } catch {
      return false;
    }
  }

  #write(change: () => void): void {
    this.#openToWrite();
    // A read that becomes a write would be refused at once where another process writes.
    this.#opened().inTransaction("BEGIN IMMEDIATE", () => {
      // In the same transaction: each table of its own would wait for the disk.
      this.run(SCHEMA);
      change();
    });
  }

  #opened(): CacheDatabase {
    if (this.#users === 0) throw new TypeError("Cannot use database: the database is closed");
    return this.#database ??= this.#openToRead() ?? inMemory();
  }

  #openToRead(): CacheDatabase | undefined {
    const path = this.#path;
    if (path === undefined) return undefined;
    const database = openDatabase(path, "SELECT key FROM touch LIMIT 0");
    if (database === undefined) return undefined;
    if (mayWrite(path)) this.#written = inodeOf(path);
    return unspilled(database);
  }

  /** Opens the file for writing. Reopens it only if it was replaced. Creates a missing file. */
  #openToWrite(): void {
    const [folder, path] = [this.#folder, this.#path];
    if (folder === undefined || path === undefined) return;
    makeCacheFolder(folder);
    makeFactsFile(folder, path);
    const inode = inodeOf(path);
    if (this.#database !== undefined && this.#written === inode) return;
    this.#close();
    this.#database = unspilled(connected(path));
    this.#written = inode;
  }

  #close(): void {
    this.#database?.[Symbol.dispose]();
    this.#database = this.#written = undefined;
  }

  [Symbol.dispose](): void {
    if (--this.#users > 0) return;
    if (this.#path !== undefined) OPEN.delete(this.#path);
    this.#close();
  }
}

/** Opens the facts of a cache folder, or shares an open database. The caller must dispose of it. */
export function openFacts(options: CatalogueOptions): FactsDatabase {
  const { folder } = options;
  if (folder === undefined) return new FactsDatabase().shared();
  const path = factsPath({ ...options, folder });
  const facts = OPEN.get(path) ?? new FactsDatabase(folder, path);
  OPEN.set(path, facts);
  return facts.shared();
}

/** Keeps changed pages in memory. Spilling them to disk would lock out readers for a long time. */
function unspilled(database: CacheDatabase): CacheDatabase {
  database.exec("PRAGMA temp_store = memory; PRAGMA cache_spill = off");
  return database;
}

function inMemory(): CacheDatabase {
  const database = connected(":memory:");
  database.exec(SCHEMA);
  return database;
}
