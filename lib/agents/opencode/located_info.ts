/** The metadata that locating an OpenCode session reads and caches. */
import { present } from "../engine/json.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { SessionInfo } from "./stored_session.ts";

export type OpenCodeInfo = Pick<SessionInfo, "id" | "parent_id" | "directory" | "archived">;

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
