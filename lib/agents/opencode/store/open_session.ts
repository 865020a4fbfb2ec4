/**
 * Opens a session of OpenCode in whatever it lies.
 */
import { SessionError } from "../../../event/session_error.ts";
import type { AgentSession } from "../../../source/agent.ts";
import { SqliteReader } from "../../../reading/sqlite/sqlite_reader.ts";
import type { SessionInfo, StoredSession } from "../stored_session.ts";
import { openDatabaseSession } from "./database_session.ts";
import { openExport } from "./export_session.ts";
import { sessionRow } from "./session_row.ts";
import { openStorageSession } from "./storage_session.ts";
import { storeKind } from "./store_kind.ts";
import { countV2Messages, openV2Session } from "./v2_session.ts";

/**
 * Opens a session.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function openSession({ path, id }: AgentSession): StoredSession {
  switch (storeKind(path)) {
    case "database":
      return openInDatabase(path, id);
    case "export":
      return openExport(path);
    case "storage":
      return openStorageSession(path);
  }
}

function openInDatabase(path: string, id: string): StoredSession {
  const reader = new SqliteReader(path);
  try {
    const session = chooseTable(reader, id);
    if (session !== undefined) return session;
    const message = `Cannot read session: ${id} is not in the database: ${path}`;
    throw new SessionError("not-found", message, { path, ref: id });
  } catch (error) {
    reader[Symbol.dispose]();
    throw error;
  }
}

/**
 * The tables of OpenCode 1, or of 2. Version 2 copies the sessions of 1 once, and both go on with
 * their own (anomalyco/opencode issues 41217, 49412 and 49641): the one written last is told.
 */
function chooseTable(reader: SqliteReader, id: string): StoredSession | undefined {
  const first = sessionRow(reader, "session", id);
  const second = sessionRow(reader, "session_v2", id);
  if (second !== undefined && (first === undefined || isLater(second, first))) {
    return openV2Session(reader, second);
  }
  if (first === undefined) return undefined;
  const session = openDatabaseSession(reader, first);
  // 1.18 has the tables of 2, and may have been told to use them.
  return session.count === 0 && countV2Messages(reader, id) > 0
    ? openV2Session(reader, first)
    : session;
}

function isLater(one: SessionInfo, other: SessionInfo): boolean {
  return (one.updated ?? 0) > (other.updated ?? 0);
}
