/**
 * The sessions in a file of OpenCode.
 */
import type { AgentSession } from "../../source/agent.ts";
import { isDatabaseWith, SqliteReader } from "../../reading/sqlite/sqlite_reader.ts";
import { toSession } from "./locate.ts";
import { openExport } from "./store/export_session.ts";
import { sessionRows, type SessionTable } from "./store/session_row.ts";
import { openStorageSession } from "./store/storage_session.ts";
import { kindOfHead, storeKind } from "./store/open_session.ts";
import type { SessionInfo } from "./stored_session.ts";

/** The tables that hold sessions, the older one first. */
export const TABLES: readonly SessionTable[] = ["session", "session_v2"];

/** True if a file is OpenCode's. */
export function recognizeStore(path: string, head: Uint8Array): boolean {
  const kind = kindOfHead(path, head);
  return kind === "database" ? isDatabaseWith(path, head, hasSessions) : kind !== undefined;
}

function hasSessions(reader: SqliteReader): boolean {
  return TABLES.some((table) => reader.has(table, "id", "directory", "title"));
}

/** Lists the sessions in a file, the last written at the end. */
export function sessionsIn(path: string): AgentSession[] {
  switch (storeKind(path)) {
    case "database": {
      const infos = withoutChildren([...databaseSessions(path)]);
      infos.sort((a, b) => (a.updated ?? a.created ?? 0) - (b.updated ?? b.created ?? 0));
      return infos.map((info) => toSession(path, info));
    }
    case "export": {
      using session = openExport(path);
      return session.count === 0 && session.info.created === undefined
        ? []
        : [toSession(path, session.info)];
    }
    case "storage": {
      using session = openStorageSession(path);
      return [toSession(path, session.info)];
    }
  }
}

/** Yields the sessions of a database, each once, in any order. */
export function* databaseSessions(path: string): Generator<SessionInfo> {
  using reader = new SqliteReader(path);
  const found = new Set<string>();
  for (const table of TABLES) {
    for (const info of sessionRows(reader, table)) {
      if (found.has(info.id)) continue;
      found.add(info.id);
      yield info;
    }
  }
}

/** Removes sessions whose parent exists: they are its threads. */
function withoutChildren(infos: readonly SessionInfo[]): SessionInfo[] {
  const ids = new Set(infos.map(({ id }) => id));
  return infos.filter(({ id, parent_id }) =>
    parent_id === undefined || parent_id === id || !ids.has(parent_id)
  );
}
