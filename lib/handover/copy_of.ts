/** Finds the copy that an agent has of one of its own sessions. */
import { SessionError } from "../event/session_error.ts";
import type { AgentName } from "../event/agent_name.ts";
import type { Library } from "../library/library.ts";
import { earlierHandover, readHandovers } from "./handover_record.ts";

/**
 * Returns the reference of a session's last copy in its own agent. The copy must be there, and the
 * session unchanged since.
 *
 * @throws {SessionError} `unsafe-store`, `permission`, `io`
 */
export async function copyOf(
  library: Library,
  agent: AgentName,
  ref: string,
): Promise<string | undefined> {
  const made = readHandovers(library.root).filter((record) => record.agent === agent);
  if (!made.some(({ source }) => source.ref === ref)) return undefined;
  try {
    const copy = await earlierHandover(library.root, agent, await library.open(ref));
    if (copy === undefined) return undefined;
    return (await library.open(`${agent}:${copy.id}`)).ref;
  } catch (error) {
    // One of the two was deleted since.
    if (error instanceof SessionError && error.code === "not-found") return undefined;
    throw error;
  }
}
