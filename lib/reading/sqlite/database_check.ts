/** Checks the database of an agent, as SQLite does. It is opened to read alone, and never repaired. */
import { SessionError } from "../../event/session_error.ts";
import type { DatabaseCheck } from "../../source/session_repair.ts";
import { isSqliteFile } from "./sqlite_file.ts";
import { SqliteReader } from "./sqlite_reader.ts";

const MOST_FAULTS = 100;
const SOUND = "ok";

/** The check of a database of sessions. */
export const databaseCheck: DatabaseCheck = {
  kind: "database",
  check: (path) => Promise.resolve().then(() => checkFile(path)),
};

function checkFile(path: string): string[] {
  if (!isSqliteFile(path)) {
    const message =
      "Cannot repair session: it is no database, and no repair of such files is known: " +
      path;
    throw new SessionError("unsupported-source", message, { path });
  }
  try {
    using reader = new SqliteReader(path);
    const rows = reader.all(`PRAGMA integrity_check(${MOST_FAULTS})`);
    return rows.flatMap((row) => Object.values(row).map(String)).filter((text) => text !== SOUND);
  } catch (error) {
    // So damaged that it cannot even be checked.
    if (!(error instanceof SessionError) || error.code !== "unsupported-source") throw error;
    return [error.message];
  }
}
