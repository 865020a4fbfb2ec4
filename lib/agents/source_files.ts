/**
 * The files that hold one session of an agent and no other: what can be copied to keep it.
 */
import { basename, dirname, join } from "node:path";
import { toSessionError } from "../log/io_error.ts";
import type { Agent, AgentSession } from "./agent.ts";
import { listFolder } from "./folder.ts";

const SQLITE = "SQLite format 3\0";
/** A shorter id could stand in the name of another session's folder by accident. */
const SHORTEST_ID = 8;

/**
 * Absolute paths, the log first; none where the session is in a database or in a file with others. To
 * the log belong the files of a folder that is named by the session, around it or beside it. Links
 * are left out.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`
 */
export async function sourceFiles(agent: Agent, session: AgentSession): Promise<string[]> {
  const { path, id } = session;
  if (isDatabase(path) || (await agent.sessionsIn(path)).length > 1) return [];
  const folder = dirname(path);
  const named = id.length >= SHORTEST_ID;
  const around = named && basename(folder).includes(id) ? [...filesBelow(folder)] : [];
  const beside = named && around.length === 0 ? [...filesBelow(join(folder, id))] : [];
  return [path, ...[...around, ...beside].filter((file) => file !== path)];
}

function isDatabase(path: string): boolean {
  try {
    using file = Deno.openSync(path, { read: true });
    const head = new Uint8Array(SQLITE.length);
    return file.readSync(head) === head.length && new TextDecoder().decode(head) === SQLITE;
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}

function* filesBelow(folder: string): Generator<string> {
  for (const { path } of listFolder(folder)) {
    const { isFile, isDirectory } = Deno.lstatSync(path);
    if (isFile) yield path;
    else if (isDirectory) yield* filesBelow(path);
  }
}
