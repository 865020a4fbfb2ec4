/**
 * Finds the sessions in a file of OpenCode, and the sessions of a session's sub-agents.
 *
 * A sub-agent's session names its parent (1.18.34, session/session.ts, `children`), and is a thread
 * of the parent.
 */
import { basename, dirname } from "node:path";
import { listFolder, readJsonObject } from "../engine/files/folder.ts";
import { withCutRows } from "../engine/sqlite/opened_rows.ts";
import { isDatabaseWith, SqliteReader } from "../engine/sqlite/sqlite_reader.ts";
import { chosenThread } from "../engine/threads.ts";
import type { AgentSession, Subagent } from "../contract/agent.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { toSession } from "./located_info.ts";
import type { WholeSession } from "./message_rows.ts";
import { openExport } from "./store/export_session.ts";
import { kindOfHead, openSession, storeKind } from "./store/open_session.ts";
import { childRows, sessionRows, type SessionTable, toSessionInfo } from "./store/session_row.ts";
import { openStorageSession } from "./store/storage_session.ts";
import type { SessionInfo } from "./stored_session.ts";

/** The tables that hold sessions, the older table first. */
export const TABLES: readonly SessionTable[] = ["session", "session_v2"];

export function recognizeStore(path: string, head: Uint8Array): boolean {
  const kind = kindOfHead(path, head);
  return kind === "database" ? isDatabaseWith(path, head, hasSessions) : kind !== undefined;
}

function hasSessions(reader: SqliteReader): boolean {
  return TABLES.some((table) => reader.has(table, "id", "directory", "title"));
}

/** Lists the sessions in a file. The session that was updated last comes last. */
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
  for (const { id } of withCutRows(reader, [])) yield { id, weight: 0 };
}

function withoutChildren(infos: readonly SessionInfo[]): SessionInfo[] {
  const ids = new Set(infos.map(({ id }) => id));
  return infos.filter(({ id, parent_id }) =>
    parent_id === undefined || parent_id === id || !ids.has(parent_id)
  );
}

/** Lists the descendants of a session. Each comes after its parent. */
export function childrenOf(session: AgentSession): Subagent[] {
  const children = new Map<string, Subagent>();
  const { archived: _, ...rest } = session;
  const take = (owner: string, thread: string, ownersOf: Owners): void => {
    for (const { id, path } of ownersOf(owner)) {
      if (children.has(id) || id === session.id) continue;
      children.set(id, { ...rest, id, path, parent: thread });
      take(id, id, ownersOf);
    }
  };
  switch (storeKind(session.path)) {
    case "database": {
      using reader = new SqliteReader(session.path);
      take(session.id, MAIN_THREAD, (owner) => inDatabase(reader, owner));
      break;
    }
    case "storage":
      take(session.id, MAIN_THREAD, inFiles(session.path));
      break;
    default:
  }
  return [...children.values()];
}

type Owners = (id: string) => Pick<AgentSession, "id" | "path">[];

function inDatabase(reader: SqliteReader, id: string): Pick<AgentSession, "id" | "path">[] {
  const rows = TABLES.flatMap((table) => childRows(reader, table, id));
  return rows.map((row) => ({ id: row.id, path: reader.path }));
}

function inFiles(path: string): Owners {
  const files = listFolder(dirname(path)).filter(({ name, isFile }) =>
    isFile && name.endsWith(".json")
  );
  const infos = files.map((file) => ({
    path: file.path,
    ...toSessionInfo(basename(file.name, ".json"), readJsonObject(file.path), 0),
  }));
  return (owner) => infos.filter(({ parent_id }) => parent_id === owner);
}

function namedChild(session: AgentSession, thread: string): AgentSession | undefined {
  const children = childrenOf(session).filter(({ id }) => id.startsWith(thread));
  return children.find(({ id }) => id === thread) ??
    (children.length === 1 ? children[0] : undefined);
}

/**
 * Finds the session that holds a thread. Reverted messages are a thread of the session itself.
 * `thread` is then the id of one of these messages, usually the first.
 *
 * @throws {SessionError} `not-found`
 */
export function threadHolder(session: AgentSession, thread: string): WholeSession {
  const child = namedChild(session, thread);
  if (child !== undefined) return child;
  using records = openSession(session);
  const { revert } = records.info;
  if (records.indexOf(thread) === undefined) {
    chosenThread(thread, revert === undefined ? [] : [revert.message_id]);
  }
  return { ...session, with_reverted: true };
}
