/** Checks another agent's database in the calling thread, without a time limit. */
import { SessionError } from "../../../core/event/session_error.ts";
import { isSqliteFile } from "./sqlite_file.ts";
import { openSqlite, sqliteError } from "./sqlite_source.ts";

const MOST_FAULTS = 100;
const SOUND = "ok";

/**
 * Returns the faults that SQLite finds in a database. Empty if it is sound.
 *
 * @throws {SessionError} `unsupported-source`, `not-found`, `permission`, `io`
 */
export function checkFile(path: string): string[] {
  if (!isSqliteFile(path)) {
    const message =
      `Cannot repair session: the file cannot be checked, because it is not an SQLite database: ${path}`;
    throw new SessionError("unsupported-source", message, { path });
  }
  try {
    using source = openSqlite(path);
    const rows = source.database.prepare(`PRAGMA integrity_check(${MOST_FAULTS})`).all();
    return rows.flatMap((row) => Object.values(row).map(String)).filter((text) => text !== SOUND);
  } catch (given) {
    const error = given instanceof SessionError ? given : sqliteError(given, path);
    // So damaged that it cannot even be checked.
    if (error.code !== "unsupported-source") throw error;
    return [error.message];
  }
}
