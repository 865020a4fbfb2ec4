/** Opens a session of OpenCode in any of its stores. */
import { openToRead } from "../../../core/log/byte_source.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { readWhole } from "../../../core/log/read_whole.ts";
import { parseCell } from "../../engine/sqlite/json_cell.ts";
import { isSqlite } from "../../engine/sqlite/sqlite_file.ts";
import { openedRows } from "../../engine/sqlite/opened_rows.ts";
import type { SqliteReader } from "../../engine/sqlite/sqlite_reader.ts";
import type { AgentSession } from "../../contract/agent.ts";
import type { OpenCodeSession, SessionInfo } from "../stored_session.ts";
import { openDatabaseSession } from "./database_session.ts";
import { openExport } from "./export_session.ts";
import { isSessionJson, sessionRow } from "./session_row.ts";
import { openStorageSession } from "./storage_session.ts";
import { countV2Messages, openV2Session } from "./v2_session.ts";

/**
 * Opens a session.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function openSession({ path, id }: AgentSession): OpenCodeSession {
  switch (storeKind(path)) {
    case "database":
      return openInDatabase(path, id);
    case "export":
      return openExport(path);
    case "storage":
      return openStorageSession(path);
  }
}

function openInDatabase(path: string, id: string): OpenCodeSession {
  return openedRows({ path, id }, (reader) => chooseTable(reader, id));
}

/**
 * Opens the session from the tables of OpenCode 1 or 2, by the later update. OpenCode 2 copies the
 * sessions of OpenCode 1 once. Then each version continues its own copy (anomalyco/opencode issues
 * 41217, 49412 and 49641).
 */
function chooseTable(reader: SqliteReader, id: string): OpenCodeSession | undefined {
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

// Recognizes which of OpenCode's stores a file is. Its first bytes decide; only if they cannot, its
// name does.

/** `storage` is a session's JSON file, as OpenCode wrote it before 1.2. */
type StoreKind = "database" | "storage" | "export";

const HEAD_BYTES = 64 * 1024;
const EXPORT = /^\ufeff?\s*\{\s*"(info|messages)"\s*:\s*[{[]/;
const EXPORT_FIELDS = /"(projectID|directory|sessionID)"\s*:/;
/** Matches `session/<project>/<session>.json`, and the older `session/info/<session>.json`. */
const STORAGE_NAME = /[\\/]session[\\/][^\\/]+[\\/]ses_[^\\/]+\.json$/;

export function storeKind(path: string): StoreKind {
  const kind = kindOfHead(path, readHead(path));
  if (kind !== undefined) return kind;
  if (path.endsWith(".db")) return "database";
  return STORAGE_NAME.test(path) ? "storage" : "export";
}

export function kindOfHead(path: string, head: Uint8Array): StoreKind | undefined {
  if (isSqlite(head)) return "database";
  const text = new TextDecoder().decode(head);
  if (EXPORT.test(text) && EXPORT_FIELDS.test(text)) return "export";
  const parsed = parseCell(text);
  if ("value" in parsed) return isSessionJson(parsed.value) ? "storage" : undefined;
  return STORAGE_NAME.test(path) && /^\s*\{/.test(text) ? "storage" : undefined;
}

function readHead(path: string): Uint8Array {
  try {
    using file = openToRead(path);
    return readWhole(file, new Uint8Array(HEAD_BYTES));
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}
