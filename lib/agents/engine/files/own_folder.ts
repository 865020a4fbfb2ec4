/** Finds the folder that belongs to a single session. Its name includes the session's id. */
import { basename, dirname } from "node:path";
import type { AgentSession } from "../../contract/agent.ts";

/** Minimum length of an id to look for in folder names. A shorter id could match by accident. */
const SHORTEST_ID = 8;

export function namesFolder({ id }: AgentSession): boolean {
  return id.length >= SHORTEST_ID;
}

export function ownFolder(session: AgentSession): string | undefined {
  const folder = dirname(session.path);
  return namesFolder(session) && basename(folder).includes(session.id) ? folder : undefined;
}
