/**
 * The sessions that a session's sub-agents worked in: each names its parent (1.18.34,
 * session/session.ts, `children`). They are threads of it.
 */
import { basename, dirname } from "node:path";
import { listFolder, readJsonObject } from "../../reading/files/folder.ts";
import { SqliteReader } from "../../reading/sqlite/sqlite_reader.ts";
import { chosenThread } from "../../reading/threads.ts";
import type { AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { TABLES } from "./find_sessions.ts";
import type { WholeSession } from "./message_rows.ts";
import { openSession, storeKind } from "./store/open_session.ts";
import { childRows, toSessionInfo } from "./store/session_row.ts";

/** A child, and the thread that started it. */
export interface ChildSession extends AgentSession {
  parent: string;
}

/** Lists the children of a session and their children, each behind its parent. */
export function childrenOf(session: AgentSession): ChildSession[] {
  const children = new Map<string, ChildSession>();
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

/** Finds children among the files of a project, which lie in one folder. */
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

/** Returns the child that a thread names by its id, or by the start of it. */
function namedChild(session: AgentSession, thread: string): AgentSession | undefined {
  const children = childrenOf(session).filter(({ id }) => id.startsWith(thread));
  return children.find(({ id }) => id === thread) ??
    (children.length === 1 ? children[0] : undefined);
}

/**
 * Finds it by the thread's name. What the user took back is named by its first message or any other.
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
