/** Locates the sessions of one of OpenClaw's agents: in its database, then in its older files. */
import { join } from "node:path";
import { SessionError } from "../../../event/session_error.ts";
import { listFolder } from "../../../reading/files/folder.ts";
import { sqliteFiles } from "../../../reading/sqlite/sqlite_file.ts";
import type { AgentSession, LocateOptions } from "../../../source/agent.ts";
import type { AgentPlace } from "../../../source/agent_environment.ts";
import { NO_FACTS } from "../../../source/located_facts.ts";
import { idInName, isSession } from "../locate.ts";

/** Finds sessions; see {@linkcode AgentDescriptor.loadLocate}. */
export async function* locateOpenclaw(
  { folder }: AgentPlace,
  { facts = NO_FACTS }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const found = new Set<string>();
  for (const { name, path, isFile } of listFolder(join(folder, "agent"))) {
    if (!isFile || name !== "openclaw-agent.sqlite") continue;
    try {
      const sessions = await facts.recall(sqliteFiles(path), () => readDatabase(path));
      for (const { id } of sessions) found.add(id);
      yield* sessions;
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      // So that the others are shown. Reading it tells the error.
      yield { agent: "openclaw", id: name, path };
    }
  }
  for (const entry of listFolder(join(folder, "sessions"))) {
    const id = idInName(entry.path);
    // An import into the database may leave the files.
    if (isSession(entry) && !found.has(id)) yield { agent: "openclaw", id, path: entry.path };
  }
}

/** Loads what reads a database: most often that is known. */
async function readDatabase(path: string): Promise<AgentSession[]> {
  const { sessionsInDatabase } = await import("./openclaw_agent.ts");
  return sessionsInDatabase(path);
}
