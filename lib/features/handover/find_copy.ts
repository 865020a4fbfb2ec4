/** Finds the copies that agents have of their own sessions. */
import type { AgentName } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import type { Library } from "../../library/library.ts";
import { earlierHandover, readHandovers } from "./handover_record.ts";

/** The options of a copy that an agent lists instead of the original: nothing is translated. */
export const LISTED_COPY = { tools: "native", reasoning: "keep" } as const;

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
      const { root } = library;
      const session = await library.open(ref);
      const copy = await earlierHandover(root, agent, session, LISTED_COPY) ??
        await earlierHandover(root, agent, session);
      return copy && (await library.open(`${agent}:${copy.id}`)).ref;
    } catch (error) {
      // One of the two was deleted since.
      if (error instanceof SessionError && error.code === "not-found") return undefined;
      throw error;
    }
  };
}
