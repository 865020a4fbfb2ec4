/** Locates fen's sessions. */
import { join } from "node:path";
import type { AgentSession, LocateOptions } from "../../source/agent.ts";
import type { AgentPlace } from "../../source/agent_environment.ts";
import { type FolderEntry, listFolder } from "../../reading/files/folder.ts";
import { type FolderMatch, folderMatch, spellings } from "../../reading/files/folder_match.ts";
import { fenSlug, isSessionName, readHeader, sessionAt } from "./session_file.ts";

/** Finds the sessions, folder by folder. */
export async function* locateFen(
  place: AgentPlace,
  { cwd }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const root = join(place.folder, "sessions");
  const slugs = cwd === undefined ? undefined : new Set(spellings(cwd).map(fenSlug));
  const match = cwd === undefined ? undefined : folderMatch(cwd);
  for (const { name: slug, path: folder, isDirectory } of listFolder(root)) {
    if (!isDirectory) continue;
    const paths = listFolder(folder).filter(isSession).map(({ path }) => path);
    // Another slug may be another spelling of the same directory: only the headers tell.
    if (match !== undefined && !slugs?.has(slug) && !mayHold(paths, match)) continue;
    for (const path of paths) yield sessionAt(path);
  }
}

function isSession({ name, isFile }: FolderEntry): boolean {
  return isFile && isSessionName(name);
}

/** True if a session of the directory is among the files, or nothing tells. */
function mayHold(paths: readonly string[], match: FolderMatch): boolean {
  const known = paths.flatMap((path) => readHeader(path)?.cwd ?? []);
  return known.length === 0 || known.some(match);
}
