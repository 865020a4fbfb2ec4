/** Locates the sessions of one of OpenClaw's agents: in its database, then in its older files. */
import { join } from "node:path";
import { listFolder } from "../../engine/files/folder.ts";
import { storedSessions } from "../../engine/sqlite/stored_sessions.ts";
import type { AgentSession, LocateOptions } from "../../contract/agent.ts";
import type { AgentPlace } from "../../contract/agent_environment.ts";
import { idInName, isSession } from "../locate.ts";

export async function* locateOpenclaw(
  { folder }: AgentPlace,
  options: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const found = new Set<string>();
  const load = async () => (await import("./transcript_rows.ts")).listedSessions;
  for (const { name, path, isFile } of listFolder(join(folder, "agent"))) {
    if (!isFile || name !== "openclaw-agent.sqlite") continue;
    for await (const session of storedSessions("openclaw", path, options, load)) {
      found.add(session.id);
      yield session;
    }
  }
  for (const entry of listFolder(join(folder, "sessions"))) {
    const id = idInName(entry.path);
    // An import into the database may leave the files.
    if (isSession(entry) && !found.has(id)) yield { agent: "openclaw", id, path: entry.path };
  }
}
