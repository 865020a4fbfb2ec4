/**
 * The files that a session is summarized from, as their names tell.
 */
import { ownFolder } from "../reading/files/own_folder.ts";
import { sqliteFiles } from "../reading/sqlite/sqlite_file.ts";
import { listFolder } from "../reading/files/folder.ts";
import type { AgentSession } from "../source/agent.ts";

/**
 * Absolute paths, the session's own file first: with it those of the database, or of a folder that is
 * the session's alone. Undefined where a session's parts lie in other folders too.
 */
export function filesOfEnds(session: AgentSession): readonly string[] | undefined {
  const { path } = session;
  if (isDatabase(path)) return sqliteFiles(path);
  if (isTree(path)) return undefined;
  const folder = ownFolder(session);
  if (folder === undefined) return [path];
  const around = listFolder(folder).filter(({ isFile }) => isFile).map((entry) => entry.path);
  return [path, ...around.filter((one) => one !== path)];
}

/** True for the path of a database, which holds many sessions. */
export function isDatabase(path: string): boolean {
  return /\.(?:db|sqlite)$/.test(path);
}

/** OpenCode, before its database: `storage/session/<project>/<id>.json`, messages elsewhere. */
function isTree(path: string): boolean {
  return /[\\/]session[\\/][^\\/]+[\\/][^\\/]+\.json$/.test(path);
}
