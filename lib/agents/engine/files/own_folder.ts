/**
 * The folder that is one session's alone, as its name tells.
 */
import { basename, dirname } from "node:path";
import type { AgentSession } from "../../contract/agent.ts";

/** A shorter id could be part of another folder's name by accident. */
const SHORTEST_ID = 8;

/** True if an id is long enough to name a folder. */
export function namesFolder({ id }: AgentSession): boolean {
  return id.length >= SHORTEST_ID;
}

/** Returns the folder around a session's file, if its name has the session's id. */
export function ownFolder(session: AgentSession): string | undefined {
  const folder = dirname(session.path);
  return namesFolder(session) && basename(folder).includes(session.id) ? folder : undefined;
}
