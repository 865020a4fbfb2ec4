/** Locates the sessions in a database. Sessions of subagents name their parents. */
import { basename } from "node:path";
import type { AgentName } from "../../../core/event/agent_name.ts";
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import type { AgentSession, LocateOptions } from "../../contract/agent.ts";
import { NO_FACTS } from "../../contract/located_facts.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import type { ThreadRecords } from "../linear/line_threads.ts";
import type { FormatThread } from "../session_format.ts";
import { sqliteFiles } from "./sqlite_file.ts";

export interface StoredSession {
  id: string;
  cwd?: string;
  parent_id?: string;
  archived?: boolean;
}

/**
 * Locates the sessions of a database. For an unreadable database, yields one session that throws
 * the error when it is read.
 *
 * @param load Loads the function that lists all sessions. It is called only if nothing is cached.
 * @param beside Other files whose changes make the cached facts invalid.
 */
export async function* storedSessions(
  agent: AgentName,
  path: string,
  { subagents = false, facts = NO_FACTS }: LocateOptions,
  load: () => Promise<(path: string) => StoredSession[]>,
  beside: readonly string[] = [],
): AsyncGenerator<AgentSession> {
  try {
    const all = await facts.recall(
      [...sqliteFiles(path), ...beside],
      async () => (await load())(path),
    );
    for (const one of subagents ? all : withoutSubagents(all)) {
      yield storedSession(agent, path, one);
    }
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    yield { agent, id: basename(path), path };
  }
}

export function storedSession(
  agent: AgentName,
  path: string,
  { id, cwd, archived }: StoredSession,
): AgentSession {
  return present({ agent, id, path, cwd, archived });
}

/** Returns the sessions without subagents. A subagent whose parent is not in the list stays. */
export function withoutSubagents<One extends StoredSession>(all: readonly One[]): One[] {
  const ids = new Set(all.map(({ id }) => id));
  return all.filter(({ id, parent_id = id }) => parent_id === id || !ids.has(parent_id));
}

/**
 * Returns the threads of a session: the main thread, then all subagents. Each subagent comes after
 * the thread that started it.
 *
 * @param recordsOf Counts and opens the records of a session.
 */
export function storedThreads(
  session: AgentSession,
  all: Iterable<StoredSession>,
  recordsOf: (session: AgentSession) => ThreadRecords,
): FormatThread[] {
  const { records } = recordsOf(session);
  const threads: FormatThread[] = [{ id: MAIN_THREAD, kind: "main", records }];
  const children = Map.groupBy(all, ({ parent_id }) => parent_id);
  const seen = new Set([session.id]);
  const take = (owner: string, thread: string): void => {
    for (const one of children.get(owner) ?? []) {
      if (seen.has(one.id)) continue;
      seen.add(one.id);
      const own = storedSession(session.agent, session.path, one);
      const known = { id: one.id, kind: "subagent" as const, parent: { thread }, session: own };
      threads.push({ ...known, ...recordsOf(own) });
      take(one.id, one.id);
    }
  };
  take(session.id, MAIN_THREAD);
  return threads;
}
