/** The records of a goose session, in a database or in an older file. */
import type { RecordSource, RecordStretch } from "../engine/sources/record_source.ts";
import { rowSource } from "../engine/sources/row_source.ts";
import { isSqliteFile } from "../engine/sqlite/sqlite_file.ts";
import { SqliteReader } from "../engine/sqlite/sqlite_reader.ts";
import { chosenThread } from "../engine/threads.ts";
import type { AgentSession, Subagent } from "../contract/agent.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { openRows } from "./database_rows.ts";
import { markAnswers, withAnswers } from "./exchanges.ts";
import { legacySource } from "./legacy_session.ts";
import { isSubagent } from "./located_info.ts";
import { sessionInfos } from "./goose_rows.ts";

export function gooseSource(session: AgentSession): RecordSource {
  if (!isDatabase(session.path)) return legacySource(session.path);
  const rows = rowSource(() => openRows(session));
  return {
    // A list's row is the same without the answers.
    ...rows,
    read: (options, from) => withAnswers(rows.read(options, from)),
    async last(bytes, options): Promise<RecordStretch> {
      const end = await rows.last(bytes, options);
      markAnswers(end.records);
      return end;
    },
  };
}

/** True for a database: by the first bytes or, if these are damaged, by the file's extension. */
export function isDatabase(path: string): boolean {
  return isSqliteFile(path) || path.endsWith(".db");
}

// The sessions of a session's sub-agents, which are in the same database (schema 15:
// `parent_session_id`).

/** Lists a session's sub-agents with nested ones. Each comes after the agent that started it. */
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
 * Finds the session of the sub-agent that `thread` names.
 *
 * @throws {SessionError} `not-found`, `ambiguous`
 */
export function namedSubagent(session: AgentSession, thread: string): AgentSession {
  const agents = subagentsOf(session);
  const id = chosenThread(thread, agents.map((agent) => agent.id));
  return agents.find((agent) => agent.id === id) ?? session;
}
