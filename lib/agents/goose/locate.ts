/** Locates goose's sessions: in its database, and in older files beside it. */
import { basename, join } from "node:path";
import { SessionError } from "../../event/session_error.ts";
import type { AgentSession, LocateOptions } from "../../source/agent.ts";
import type { AgentPlace } from "../../source/agent_environment.ts";
import { readHeadRecords } from "../../reading/records/file_edges.ts";
import { listFolder } from "../../reading/files/folder.ts";
import { type FolderMatch, folderMatch } from "../../reading/files/folder_match.ts";
import { asName } from "../../reading/records/json_value.ts";
import { databaseSessions } from "./find_sessions.ts";
import { isMetadata } from "./legacy_session.ts";

/** session_manager.rs, `SESSIONS_FOLDER` and `DB_NAME`. */
const FOLDER = "sessions";
const DATABASE = "sessions.db";

/** Finds all sessions; one that the database took over from a file is found there. */
export async function* locateSessions(
  place: AgentPlace,
  { cwd, subagents = false }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const matches = cwd === undefined ? () => true : folderMatch(cwd);
  const entries = listFolder(join(place.folder, FOLDER)).filter(({ isFile }) => isFile);
  const found = new Set<string>();
  for (const { path } of entries.filter(({ name }) => name === DATABASE)) {
    for (const session of inDatabase(path, found, subagents)) {
      if (session.cwd === undefined || matches(session.cwd)) yield session;
    }
  }
  for (const { name, path } of entries) {
    if (!name.endsWith(".jsonl") || found.has(basename(name, ".jsonl"))) continue;
    const session = inFile(path, matches);
    if (session !== undefined) yield session;
  }
}

/** A database that cannot be read is given as a session: to read it says why. */
function inDatabase(path: string, ids: Set<string>, subagents: boolean): AgentSession[] {
  try {
    return databaseSessions(path, ids, subagents);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return [{ agent: "goose", id: basename(path), path }];
  }
}

/** The first line's own directory, where it tells one. */
function inFile(path: string, matches: FolderMatch): AgentSession | undefined {
  const id = basename(path, ".jsonl");
  const metadata = firstRecords(path).find(isMetadata);
  const cwd = asName(metadata?.working_dir);
  if (cwd === undefined) return { agent: "goose", id, path };
  return matches(cwd) ? { agent: "goose", id, path, cwd } : undefined;
}

function firstRecords(path: string): Record<string, unknown>[] {
  try {
    return readHeadRecords(path, 4096).map(({ value }) => value);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    // Reading it says so.
    return [];
  }
}
