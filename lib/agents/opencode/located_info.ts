/** The facts that locating a session of OpenCode finds. */
import { present } from "../../reading/json_value.ts";
import type { AgentSession } from "../../source/agent.ts";
import type { SessionInfo } from "./stored_session.ts";

/** The facts of a session that locating needs and remembers. */
export type LocatedInfo = Pick<SessionInfo, "id" | "parent_id" | "directory" | "archived">;

/** Selects it. */
export function locatedInfo({ id, parent_id, directory, archived }: SessionInfo): LocatedInfo {
  return { id, ...present({ parent_id, directory, archived }) };
}

export function toSession(
  path: string,
  { id, directory, archived }: LocatedInfo,
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
