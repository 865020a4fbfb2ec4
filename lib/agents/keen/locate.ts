/**
 * Locates Keen Code's sessions: a folder for each below `sessions/<working directory>`.
 *
 * Keen Code 0.38.1, internal/session/path.go: the folder of a working directory is `<slug>-<first
 * 10 hex of the SHA-1 of its path>`. The path is as the shell spells it: the same directory through
 * a symbolic link has another folder.
 */
import { join } from "node:path";
import { pathDigest } from "../../workspace/namespace.ts";
import type { AgentSession, LocateOptions } from "../../source/agent.ts";
import type { AgentPlace } from "../../source/agent_environment.ts";
import { listFolder } from "../../reading/files/folder.ts";
import { type FolderMatch, folderMatch, spellings } from "../../reading/files/folder_match.ts";
import { LOG_NAME, readHeader } from "./session_file.ts";

/** Finds the sessions, namespace by namespace. */
export async function* locateKeen(
  place: AgentPlace,
  { cwd }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const match = cwd === undefined ? undefined : folderMatch(cwd);
  for (const { name, path, isDirectory } of listFolder(join(place.folder, "sessions"))) {
    if (!isDirectory) continue;
    const sessions = sessionsBelow(path);
    const spelling = cwd === undefined
      ? undefined
      : spellings(cwd).find((one) => name.endsWith(`-${pathDigest(one)}`));
    // Another digest may be of another spelling of the same directory: only the headers tell.
    if (spelling === undefined && match !== undefined && !mayHold(sessions, match)) continue;
    for (const session of sessions) {
      yield spelling === undefined ? session : { ...session, cwd: spelling };
    }
  }
}

function sessionsBelow(namespace: string): AgentSession[] {
  return listFolder(namespace).flatMap(({ name: id, path, isDirectory }): AgentSession[] => {
    if (!isDirectory) return [];
    const log = listFolder(path).find(({ name, isFile }) => isFile && name === LOG_NAME);
    return log === undefined ? [] : [{ agent: "keen", id, path: log.path }];
  });
}

/** All sessions of a namespace have one directory: the first header that there is tells. */
function mayHold(sessions: readonly AgentSession[], match: FolderMatch): boolean {
  for (const { path } of sessions) {
    const cwd = readHeader(path)?.cwd;
    if (cwd !== undefined) return match(cwd);
  }
  return true;
}
