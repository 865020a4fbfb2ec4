/** Finds a session's files. While these files are unchanged, the session is unchanged. */
import { dirname, join } from "node:path";
import { lstatSync } from "../../../core/platform/files.ts";
import type { Agent, AgentSession, SourceFiles } from "../../contract/agent.ts";
import { isSqliteFile, sqliteFiles } from "../sqlite/sqlite_file.ts";
import { listFolder } from "./folder.ts";
import { namesFolder, ownFolder } from "./own_folder.ts";

/** Determines a session's files without opening any. Undefined if the extension is not known. */
export function filesByName(session: AgentSession): SourceFiles | undefined {
  const { path } = session;
  if (/\.(?:db|sqlite)$/.test(path)) return { paths: sqliteFiles(path) };
  if (!/\.(?:jsonl?|md)$/.test(path)) return undefined;
  const folder = ownFolder(session);
  const around = folder === undefined ? [] : listFolder(folder).filter(({ isFile }) => isFile);
  return { paths: [...new Set([path, ...around.map((entry) => entry.path)])] };
}

export function isPlainJson(path: string): boolean {
  return /\.jsonl?$/.test(path);
}

export function verbatimIn(paths: readonly string[], added_words = ""): SourceFiles | undefined {
  return paths.every(isPlainJson) ? { paths, added_words } : undefined;
}

/**
 * Returns the absolute paths of a session's files, the log first. Empty for a session in a database
 * or in a file shared with other sessions. Includes the session's own folder, which contains the
 * log or is beside it. Includes files that the agent reports, except files of other sessions.
 * Symbolic links are left out.
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
