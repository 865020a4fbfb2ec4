/** Formats references: the names of sessions on the command line and in records. */
import { REPRISE } from "../../core/event/agent_name.ts";
import type { AgentSession } from "./agent.ts";
import { TEAM_REF } from "../../core/store/ref.ts";

export function sessionRef({ agent, id, ref }: Pick<AgentSession, "agent" | "id" | "ref">): string {
  return ref ?? (agent === REPRISE ? id : `${agent}:${id}`);
}

/**
 * Returns the reference of a shared session.
 *
 * @param shared The member who shares it (absent for the user), and the session.
 */
export function teamRef(
  { owner, session }: { owner?: string | undefined; session: string },
): string {
  return `${TEAM_REF}${owner === undefined ? "" : `${owner}/`}${session}`;
}
