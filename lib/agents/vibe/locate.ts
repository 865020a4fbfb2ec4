/** Locates Mistral Vibe's sessions: each is a folder below `logs/session`. */
import { join } from "node:path";
import { folderMatch } from "../../reading/files/folder_match.ts";
import type { AgentSession, LocateOptions } from "../../source/agent.ts";
import type { AgentPlace } from "../../source/agent_environment.ts";
import { sessionsBelow, subagentsOf } from "./session_folder.ts";

/** Finds the sessions, and those of subagents where they are wanted. */
export async function* locateVibe(
  { folder }: AgentPlace,
  { cwd, subagents = false }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const match = cwd === undefined ? undefined : folderMatch(cwd);
  for (const session of sessionsBelow(join(folder, "logs", "session"))) {
    if (match !== undefined && session.cwd !== undefined && !match(session.cwd)) continue;
    yield session;
    if (subagents) yield* subagentsOf(session);
  }
}
