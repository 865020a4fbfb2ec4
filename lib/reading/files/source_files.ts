/**
 * The files that hold one session of an agent and no other: what can be copied to keep it.
 */
import { dirname, join } from "node:path";
import { lstatSync } from "../../platform/files.ts";
import type { Agent, AgentSession } from "../../source/agent.ts";
import { listFolder } from "./folder.ts";
import { namesFolder, ownFolder } from "./own_folder.ts";
import { isSqliteFile } from "../sqlite/sqlite_file.ts";

/**
 * Absolute paths, the log first; none where the session is in a database, or in a file with others. To
 * the log belong the files of a folder that is named by the session, around it or beside it, and those
 * that the agent tells of. Links are left out.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`
 */
export async function sourceFiles(agent: Agent, session: AgentSession): Promise<string[]> {
  const { path, id } = session;
  if (isSqliteFile(path) || (await agent.sessionsIn(path)).length > 1) return [];
  const folder = ownFolder(session);
  const around = folder === undefined ? [] : [...filesBelow(folder)];
  const beside = namesFolder(session) && around.length === 0
    ? [...filesBelow(join(dirname(path), id))]
    : [];
  const { paths = [], borrowed = [] } = await agent.open(session).files() ?? {};
  const told = paths.filter((file) => !borrowed.includes(file));
  return [...new Set([path, ...around, ...beside, ...told])];
}

function* filesBelow(folder: string): Generator<string> {
  for (const { path } of listFolder(folder)) {
    const { isFile, isDirectory } = lstatSync(path);
    if (isFile) yield path;
    else if (isDirectory) yield* filesBelow(path);
  }
}
