/**
 * The files whose state tells whether a session is as it was.
 */
import type { Agent, AgentSession } from "../../source/agent.ts";
import { listFolder } from "./folder.ts";
import { ownFolder } from "./own_folder.ts";
import { sqliteFiles } from "../sqlite/sqlite_file.ts";

/**
 * Absolute paths, the session's own first, as the agent itself tells them; where it does not, what
 * its file's name tells. Undefined where that is not known.
 */
export async function stateFiles(
  agent: Agent,
  session: AgentSession,
): Promise<readonly string[] | undefined> {
  if (agent.stateFiles !== undefined) return await agent.stateFiles(session);
  const verbatim = await agent.verbatim?.(session);
  return verbatim?.paths ?? filesByName(session);
}

function filesByName(session: AgentSession): string[] | undefined {
  const { path } = session;
  if (/\.(?:db|sqlite)$/.test(path)) return sqliteFiles(path);
  if (!/\.(?:jsonl?|md)$/.test(path)) return undefined;
  const folder = ownFolder(session);
  const around = folder === undefined
    ? []
    : listFolder(folder).filter(({ isFile }) => isFile).map((entry) => entry.path);
  return [...new Set([path, ...around])];
}
