/** Locates Zed's threads: rows of `threads/threads.db` (crates/agent/src/db.rs). */
import { join } from "node:path";
import { listFolder } from "../engine/files/folder.ts";
import { storedSessions } from "../engine/sqlite/stored_sessions.ts";
import type { AgentSession, LocateOptions } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";

export async function* locateThreads(
  { folder }: AgentPlace,
  options: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  for (const { name, path, isFile } of listFolder(join(folder, "threads"))) {
    if (!isFile || name !== "threads.db") continue;
    yield* storedSessions(
      "zed",
      path,
      options,
      async () => (await import("./thread_rows.ts")).locatedThreads,
    );
  }
}
