/** Selects what locating needs of OpenCode's sessions; loads without what reads them. */
import { basename } from "node:path";
import type { AgentSession } from "../../source/agent.ts";
import { present } from "../../reading/json_value.ts";
import type { SessionInfo } from "./stored_session.ts";

/** The facts of a session that locating needs and remembers. */
export type LocatedInfo = Pick<SessionInfo, "id" | "parent_id" | "directory" | "archived">;

/** Selects it. */
export function locatedInfo({ id, parent_id, directory, archived }: SessionInfo): LocatedInfo {
  return { id, ...present({ parent_id, directory, archived }) };
}

/** A session that was found. */
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

/** A store that cannot be read, as a session: to read it says why, and the others are not hidden. */
export function unreadableStore(path: string): AgentSession {
  return { agent: "opencode", id: basename(path), path };
}
