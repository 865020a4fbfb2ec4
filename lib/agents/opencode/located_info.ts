/** The facts that locating a session of OpenCode finds. */
import { present } from "../engine/json.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { SessionInfo } from "./stored_session.ts";

/** The facts of a session that locating needs and remembers. */
export type OpenCodeInfo = Pick<SessionInfo, "id" | "parent_id" | "directory" | "archived">;

/** Selects the facts that are kept of each located session. */
export function locatedInfo({ id, parent_id, directory, archived }: SessionInfo): OpenCodeInfo {
  return { id, ...present({ parent_id, directory, archived }) };
}

export function toSession(
  path: string,
  { id, directory, archived }: OpenCodeInfo,
): AgentSession {
  return {
    agent: "opencode",
    id,
    path,
    ...present({
      cwd: directory,
      archived: archived === undefined ? undefined : true,
    }),
  };
}
