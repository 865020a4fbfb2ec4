/** Describes Reprise's own log as one more agent. */
import { dirname } from "node:path";
import { REPRISE } from "../event/agent_name.ts";
import { isLocked } from "../log/session_lock.ts";
import type { AgentSession, LocateOptions } from "../source/agent.ts";
import type { AgentDescriptor } from "../source/agent_descriptor.ts";
import type { AgentPlace } from "../source/agent_environment.ts";
import { PLAIN_ID, resumedBy } from "../source/resume_command.ts";
import { eachLog, type SessionFolder } from "./session_folder.ts";

/** Reprise, whose only root is the data root. */
export const own: AgentDescriptor = {
  name: REPRISE,
  title: "Reprise",
  roots: ({ root }) => root === undefined ? [] : [root],
  watched: ["sessions"],
  mayHaveSessions: () => true,
  files: ({ path }) => [path],
  isActive: isBeingWritten,
  resumeCommand: resumedBy(PLAIN_ID, "reprise", "chat", "--resume"),
  loadLocate: () => Promise.resolve(locateOwn),
  loadReader: async () => (await import("./own_agent.ts")).ownAgent,
};

/** Finds the sessions of a store; see {@linkcode AgentDescriptor.loadLocate}. */
async function* locateOwn(
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

/** True while a process is writing the session. */
function isBeingWritten({ path }: AgentSession): boolean {
  return isLocked(dirname(path));
}
