/** Locates the sessions of Hermes: `state.db` of its home, and of each profile. */
import { join } from "node:path";
import { isThere } from "../../core/file/presence.ts";
import { folders } from "../engine/files/folder.ts";
import { storedSessions } from "../engine/sqlite/stored_sessions.ts";
import type { AgentSession, LocateOptions } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";

/** Name of the database (hermes_state.py). */
const DATABASE = "state.db";

export async function* locateHermes(
  { folder }: AgentPlace,
  options: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  for (const home of [folder, ...folders(join(folder, "profiles"))]) {
    const path = join(home, DATABASE);
    if (!isThere(path)) continue;
    const load = async () => (await import("./hermes_rows.ts")).sessionFacts;
    yield* storedSessions("hermes", path, options, load);
  }
}
