/**
 * The sessions of a session's sub-agents, which lie beside it in the database (schema 15:
 * `parent_session_id`).
 */
import type { AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { chosenThread } from "../../reading/threads.ts";
import { SqliteReader } from "../../reading/sqlite/sqlite_reader.ts";
import { isDatabase } from "./goose_source.ts";
import { isSubagent } from "./located_session.ts";
import { sessionInfos } from "./session_row.ts";

/** A sub-agent's session, and the thread that started it. */
export interface Subagent extends AgentSession {
  parent: string;
}

/** The sub-agents of a session and theirs, each behind the one that started it. */
export function subagentsOf(session: AgentSession): Subagent[] {
  if (!isDatabase(session.path)) return [];
  using reader = new SqliteReader(session.path);
  const infos = [...sessionInfos(reader)].filter(isSubagent);
  const found = new Map<string, Subagent>();
  const take = (owner: string, parent: string): void => {
    for (const { id, parent_id } of infos) {
      if (parent_id !== owner || found.has(id) || id === session.id) continue;
      found.set(id, { agent: "goose", id, path: session.path, parent });
      take(id, id);
    }
  };
  take(session.id, MAIN_THREAD);
  return [...found.values()];
}

/**
 * Finds the sub-agent that a thread is named by.
 *
 * @throws {SessionError} `not-found`, `ambiguous`
 */
export function namedSubagent(session: AgentSession, thread: string): AgentSession {
  const agents = subagentsOf(session);
  const id = chosenThread(thread, agents.map((agent) => agent.id));
  return agents.find((agent) => agent.id === id) ?? session;
}
