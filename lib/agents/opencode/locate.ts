/** Locates OpenCode's sessions: OpenCode 1.18.34, core/src/database/database.ts. */
import { basename, dirname, isAbsolute, join, normalize } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import { readShortText, RECORDS_BYTES } from "../../core/file/short_file.ts";
import { listFolder } from "../engine/files/folder.ts";
import { parseCell } from "../engine/sqlite/json_cell.ts";
import { sqliteFiles } from "../engine/sqlite/sqlite_file.ts";
import type { AgentSession, LocateOptions } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { type LocatedFacts, NO_FACTS } from "../contract/located_facts.ts";
import { locatedInfo, type OpenCodeInfo, toSession } from "./located_info.ts";
import { toSessionInfo } from "./store/session_row.ts";

/** Matches `opencode.db`, `opencode-<channel>.db` of unreleased builds, and names of forks. */
const DATABASE_NAME = /^(?:opencode|kilo|mimocode)(-[A-Za-z0-9._-]+)?\.db$/;

/** Finds all sessions. A database takes precedence over older files with the same session. */
export async function* locateSessions(
  place: AgentPlace,
  { subagents = false, facts = NO_FACTS }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const found = new Set<string>();
  const isListed: IsListed = ({ id, parent_id = id }, isThere) =>
    subagents || parent_id === id || !isThere(parent_id);
  for (const path of databases(place)) yield* inDatabase(path, found, isListed, facts);
  const paths = new Map<string, string>();
  for (const path of sessionFiles(place.folder)) {
    const id = basename(path, ".json");
    if (!found.has(id) && !paths.has(id)) paths.set(id, path);
  }
  for (const [id, path] of paths) {
    const isThere = (parent: string): boolean => found.has(parent) || paths.has(parent);
    const session = await inFile(path, id, facts, (info) => isListed(info, isThere));
    if (session !== undefined) yield session;
  }
}

/** True if a list shows the session. A child with an existing parent is a thread of the parent. */
type IsListed = (info: OpenCodeInfo, isThere: (id: string) => boolean) => boolean;

/** Lists databases. `OPENCODE_DB` names the first. The databases of all release channels follow. */
export function databases({ folder, variable }: AgentPlace): string[] {
  const named = variable("OPENCODE_DB");
  const paths = listFolder(folder).filter(({ name, isFile }) => isFile && DATABASE_NAME.test(name))
    .map(({ path }) => path);
  if (named !== undefined && named !== "" && named !== ":memory:") {
    const path = isAbsolute(named) ? normalize(named) : join(folder, named);
    // By its folder, for a link to it is followed there.
    if (listFolder(dirname(path)).some((entry) => entry.isFile && entry.path === path)) {
      paths.unshift(path);
    }
  }
  return [...new Set(paths)];
}

/** Reads a database's sessions. Imports the reader only here, because cached results need none. */
async function readDatabase(path: string): Promise<OpenCodeInfo[]> {
  const { databaseSessions } = await import("./find_sessions.ts");
  return [...databaseSessions(path)].map(locatedInfo);
}

async function* inDatabase(
  path: string,
  found: Set<string>,
  isListed: IsListed,
  facts: LocatedFacts,
): AsyncGenerator<AgentSession> {
  try {
    const all = await facts.recall(
      sqliteFiles(path),
      () => readDatabase(path),
    );
    const infos = all.filter(({ id }) => !found.has(id));
    for (const { id } of infos) found.add(id);
    for (const info of infos) {
      if (isListed(info, (parent) => found.has(parent))) yield toSession(path, info);
    }
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    yield unreadableStore(path);
  }
}

/**
 * Yields the session files of OpenCode before 1.2, then the files of mid-2025. Includes files of
 * deleted projects, which OpenCode does not import (anomalyco/opencode issues 13560 and 13636).
 */
function* sessionFiles(folder: string): Generator<string> {
  const storage = join(folder, "storage", "session");
  for (const { path } of listFolder(storage)) yield* jsonFiles(path);
  for (const { path } of listFolder(join(folder, "project"))) {
    yield* jsonFiles(join(path, "storage", "session", "info"));
  }
}

function* jsonFiles(folder: string): Generator<string> {
  for (const { name, path, isFile } of listFolder(folder)) {
    if (isFile && name.endsWith(".json")) yield path;
  }
}

async function inFile(
  path: string,
  id: string,
  facts: LocatedFacts,
  isWanted: (info: OpenCodeInfo) => boolean,
): Promise<AgentSession | undefined> {
  let info: OpenCodeInfo;
  try {
    info = await facts.recall([path], () => readInfo(path, id));
  } catch {
    // Not there any more, or not allowed: reading it says so.
    return { agent: "opencode", id, path };
  }
  return isWanted(info) ? toSession(path, info) : undefined;
}

function readInfo(path: string, id: string): OpenCodeInfo {
  const parsed = parseCell(readShortText(path, RECORDS_BYTES));
  return locatedInfo(toSessionInfo(id, "value" in parsed ? parsed.value : {}, 1));
}

/** Makes a session for an unreadable store. The session appears in lists, and fails when read. */
function unreadableStore(path: string): AgentSession {
  return { agent: "opencode", id: basename(path), path };
}
