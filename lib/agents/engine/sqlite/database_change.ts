/** Changes another agent's database while its own programs may have it open. */
import { DatabaseSync } from "node:sqlite";
import { SessionError } from "../../../core/event/session_error.ts";
import { sizeOf } from "./sqlite_file.ts";
import { sqliteError } from "./sqlite_source.ts";

/** Query for a trigger or virtual table, which would run code from the database at each change. */
const ACTIVE = "SELECT name FROM sqlite_master WHERE type = 'trigger' " +
  "OR sql LIKE 'CREATE VIRTUAL%' LIMIT 1";

const BUSY_MS = 2000;

/**
 * Throws if a change to the database would run code from the database.
 *
 * @param action The action that the message names, such as `scrub session`.
 */
export function refuseActive(database: DatabaseSync, path: string, action: string): void {
  const active = database.prepare(ACTIVE).get();
  if (active === undefined) return;
  const message = `Cannot ${action}: its database has a trigger or a virtual table ` +
    `(${String(active.name)}), which this version of Reprise does not know: ${path}`;
  throw new SessionError("unsupported-source", message, { path });
}

/** Throws if there is no file at the path, because SQLite would create a database. */
export function refuseMissing(path: string): void {
  if (sizeOf(path) >= 0) return;
  throw new SessionError("not-found", `Cannot read database: there is no file ${path}`, { path });
}

/** True for SQLite's error that another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  return errcode % 256 === 5 || errcode % 256 === 6;
}

/** True for SQLite's error that a row breaks a rule of its table, such as unique ids. */
export function isConflict(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  return errcode % 256 === 19;
}

/**
 * Runs a step in one transaction. An error rolls back the whole step.
 *
 * @param title The title of the agent that owns the database.
 * @throws {SessionError} `unsupported-source`, `not-found`, `permission`, `io`, and `locked` if
 * another program writes
 */
export function changeDatabase<Result>(
  path: string,
  title: string,
  step: (database: DatabaseSync) => Result,
): Result {
  refuseMissing(path);
  try {
    using database = new DatabaseSync(path, { timeout: BUSY_MS });
    database.exec("PRAGMA trusted_schema = off");
    // Prepared, because errors of `exec` have no SQLite code.
    database.prepare("BEGIN IMMEDIATE").run();
    try {
      refuseActive(database, path, "change session");
      const result = step(database);
      database.exec("COMMIT");
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  } catch (error) {
    if (!isBusy(error)) throw sqliteError(error, path);
    const message =
      `Cannot change session: ${title} is writing to its database; try again: ${path}`;
    throw new SessionError("locked", message, { path }, error);
  }
}
