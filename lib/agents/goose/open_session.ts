/**
 * Opens a session of goose in whatever it lies.
 */
import { SessionError } from "../../event/session_error.ts";
import type { AgentSession } from "../../source/agent.ts";
import { isSqliteFile } from "../../reading/sqlite/sqlite_file.ts";
import { SqliteReader } from "../../reading/sqlite/sqlite_reader.ts";
import { openDatabaseSession } from "./database_session.ts";
import type { GooseSession } from "./goose_session.ts";
import { openLegacySession } from "./legacy_session.ts";
import { sessionInfos } from "./session_row.ts";

/**
 * Opens a session.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function openSession({ path, id }: AgentSession): GooseSession {
  if (!isDatabase(path)) return openLegacySession(path);
  const reader = new SqliteReader(path);
  try {
    const [info] = sessionInfos(reader, id);
    if (info !== undefined) return openDatabaseSession(reader, info);
    const message = `Cannot read session: ${id} is not in the database: ${path}`;
    throw new SessionError("not-found", message, { path, ref: id });
  } catch (error) {
    reader[Symbol.dispose]();
    throw error;
  }
}

/** By its first bytes, and by its name where these are gone. */
export function isDatabase(path: string): boolean {
  return isSqliteFile(path) || path.endsWith(".db");
}
