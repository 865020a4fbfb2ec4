/** The name of a session on the command line and in other records. */
import { REPRISE } from "../event/agent_name.ts";
import type { AgentSession } from "./agent.ts";

/** The reference of a session: the id of one of ours, else `<agent>:<id>`. */
export function sessionRef({ agent, id }: Pick<AgentSession, "agent" | "id">): string {
  return agent === REPRISE ? id : `${agent}:${id}`;
}
