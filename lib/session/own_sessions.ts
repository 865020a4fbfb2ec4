/** Lists where a store's sessions are, and whether one is being written, before any is read. */
import { dirname } from "node:path";
import { REPRISE } from "../event/agent_name.ts";
import { isLocked } from "../log/session_lock.ts";
import type { AgentSession, LocateOptions } from "../source/agent.ts";
import type { AgentPlace } from "../source/agent_environment.ts";
import { eachLog, type SessionFolder } from "./session_folder.ts";

/** Finds the sessions of a store; see {@linkcode AgentDescriptor.loadLocate}. */
export async function* locateOwn(
  { folder: root }: AgentPlace,
  { cwd }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  if (cwd === undefined) {
    for (const { id, path } of eachLog(root)) yield { agent: REPRISE, id, path };
    return;
  }
  for (const { session_id: id, path } of await foldersOf(root, cwd)) {
    yield { agent: REPRISE, id, path };
  }
}

async function foldersOf(root: string, cwd: string): Promise<SessionFolder[]> {
  const { readMarks } = await import("./marks.ts");
  const { foldersOfDirectory } = await import("./relink/directory_folders.ts");
  // Marks that cannot be read hide no session: lists tell of them.
  return foldersOfDirectory(root, cwd, readMarks(root, () => {}));
}

/** True while a process writes the session. */
export function isBeingWritten({ path }: AgentSession): boolean {
  return isLocked(dirname(path));
}
