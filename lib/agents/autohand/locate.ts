/** Locates Autohand's sessions: each is a folder below `sessions`. */
import { join } from "node:path";
import type { AgentSession, LocateOptions } from "../../source/agent.ts";
import type { AgentPlace } from "../../source/agent_environment.ts";
import { listFolder, readJsonObject } from "../../reading/files/folder.ts";
import { folderMatch } from "../../reading/files/folder_match.ts";
import { asList, asName, asObject } from "../../reading/json_value.ts";
import { readMetadata, sessionIn } from "./session_folder.ts";

/**
 * Finds the sessions by their folders. The index is only asked for what it knows: one damaged entry
 * makes Autohand start an empty one (SessionManager.ts `readIndexFromDisk`), and what it held is
 * never put back.
 */
export async function* locateAutohand(
  place: AgentPlace,
  { cwd }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const match = cwd === undefined ? undefined : folderMatch(cwd);
  const root = join(place.folder, "sessions");
  const indexed = indexedProjects(root);
  for (const { name, path, isDirectory } of listFolder(root)) {
    const session = isDirectory ? sessionIn(path) : undefined;
    if (session === undefined) continue;
    const known = indexed.get(name) ??
      (match === undefined ? undefined : asName(readMetadata(session).projectPath));
    if (match !== undefined && known !== undefined && !match(known)) continue;
    yield known === undefined ? session : { ...session, cwd: known };
  }
}

/** Project directories by session id. */
function indexedProjects(root: string): Map<string, string> {
  const projects = new Map<string, string>();
  for (const entry of asList(readJsonObject(join(root, "index.json")).sessions)) {
    const id = asName(asObject(entry).id);
    const project = asName(asObject(entry).projectPath);
    if (id !== undefined && project !== undefined) projects.set(id, project);
  }
  return projects;
}
