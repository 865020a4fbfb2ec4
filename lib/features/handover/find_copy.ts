/** Finds the copies of sessions that earlier hand-overs made for agents. */
import type { AgentName } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import type { Library } from "../../library/library.ts";
import { earlierHandover, readHandovers } from "./handover_record.ts";

/** Hand-over options for the copies that lists show instead of the original sessions. */
export const LISTED_COPY = { tools: "native", reasoning: "keep" } as const;

/** Returns the reference of an agent's last copy of a session, or undefined if there is none. */
export type FindCopy = (agent: AgentName, ref: string) => Promise<string | undefined>;

/**
 * Returns a function that finds copies of sessions. A copy counts only while it exists and its
 * original is unchanged.
 *
 * @throws {SessionError} `unsafe-store`, `permission`, `io`. The returned function throws these,
 * too.
 */
export function copyFinder(library: Library): FindCopy {
  const copied = new Set(
    readHandovers(library.root).map(({ agent, source }) => `${agent} ${source.ref}`),
  );
  return async (agent, ref) => {
    if (!copied.has(`${agent} ${ref}`)) return undefined;
    try {
      const { root } = library;
      const session = await library.open(ref);
      const copy = await earlierHandover(root, agent, session, LISTED_COPY) ??
        await earlierHandover(root, agent, session);
      return copy && (await library.open(`${agent}:${copy.id}`)).ref;
    } catch (error) {
      // The original or the copy was deleted since.
      if (error instanceof SessionError && error.code === "not-found") return undefined;
      throw error;
    }
  };
}
