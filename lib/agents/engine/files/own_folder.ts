/** The folder that belongs to one session alone: its name includes the session's id. */
import { basename, dirname } from "node:path";
import type { AgentSession } from "../../contract/agent.ts";

/** Minimum length of an id to match folder names, as a shorter one could match by accident. */
const SHORTEST_ID = 8;

/** True if a session's id is long enough to be recognized in a folder's name. */
export function namesFolder({ id }: AgentSession): boolean {
  return id.length >= SHORTEST_ID;
}

/** Returns the folder of a session's file, if the folder's name includes the session's id. */
export function ownFolder(session: AgentSession): string | undefined {
  const folder = dirname(session.path);
  return namesFolder(session) && basename(folder).includes(session.id) ? folder : undefined;
}
