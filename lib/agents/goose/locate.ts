/** Locates goose's sessions: in its database, and in older files beside it. */
import { basename, join } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import { listFolder } from "../engine/files/folder.ts";
import { sqliteFiles } from "../engine/sqlite/sqlite_file.ts";
import type { AgentSession, LocateOptions } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { type LocatedFacts, NO_FACTS } from "../contract/located_facts.ts";
import { toSession, withoutSubagents } from "./located_info.ts";

/** The folder and database of sessions (session_manager.rs, `SESSIONS_FOLDER` and `DB_NAME`). */
const FOLDER = "sessions";
const DATABASE = "sessions.db";

/** Finds all sessions. The database's copy of a session takes precedence over a file. */
export async function* locateSessions(
  place: AgentPlace,
  { subagents = false, facts = NO_FACTS }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const entries = listFolder(join(place.folder, FOLDER)).filter(({ isFile }) => isFile);
  const found = new Set<string>();
  for (const { path } of entries.filter(({ name }) => name === DATABASE)) {
    yield* await inDatabase(path, found, facts, subagents);
  }
  for (const { name, path } of entries) {
    if (!name.endsWith(".jsonl") || found.has(basename(name, ".jsonl"))) continue;
    yield await inFile(path, facts);
  }
}

/**
 * Returns a database's sessions and adds their ids to `ids`. A database that cannot be read counts
 * as one session, so that reading this session reports the error.
 */
async function inDatabase(
  path: string,
  ids: Set<string>,
  facts: LocatedFacts,
  subagents: boolean,
): Promise<AgentSession[]> {
  try {
    const infos = await facts.recall(
      sqliteFiles(path),
      // Loaded only if the facts are not known: it brings all that reads a database.
      async () => (await import("./find_sessions.ts")).databaseSessions(path),
    );
    for (const { id } of infos) ids.add(id);
    return (subagents ? infos : withoutSubagents(infos)).map((info) => toSession(path, info));
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return [{ agent: "goose", id: basename(path), path }];
  }
}

async function inFile(path: string, facts: LocatedFacts): Promise<AgentSession> {
  const session: AgentSession = { agent: "goose", id: basename(path, ".jsonl"), path };
  try {
    const cwd = await facts.recall(
      [path],
      async () => (await import("./find_sessions.ts")).directoryIn(path),
    );
    return cwd === null ? session : { ...session, cwd };
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    // Reading it says so.
    return session;
  }
}
