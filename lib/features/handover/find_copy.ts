/** Finds the copies that agents have of their own sessions. */
import type { AgentName } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import type { Library } from "../../library/library.ts";
import { earlierHandover, readHandovers } from "./handover_record.ts";

/** Finds an agent's last copy of a session. Returns its reference; undefined if none. */
export type FindCopy = (agent: AgentName, ref: string) => Promise<string | undefined>;

/**
 * Reads which sessions were copied. A copy counts while it is there, and the session is unchanged.
 *
 * @throws {SessionError} `unsafe-store`, `permission`, `io`; what it returns throws these, too.
 */
export function copyFinder(library: Library): FindCopy {
  const copied = new Set(
    readHandovers(library.root).map(({ agent, source }) => `${agent} ${source.ref}`),
  );
  return async (agent, ref) => {
    if (!copied.has(`${agent} ${ref}`)) return undefined;
    try {
      const copy = await earlierHandover(library.root, agent, await library.open(ref));
      return copy && (await library.open(`${agent}:${copy.id}`)).ref;
    } catch (error) {
      // One of the two was deleted since.
      if (error instanceof SessionError && error.code === "not-found") return undefined;
      throw error;
    }
  };
}
