/** The contract of an agent that reads its own sessions compressed by zstd. */
import type { AgentPlace } from "./agent_environment.ts";
import type { RepairedFile, SessionHold } from "./session_repair.ts";

export interface SessionPacking {
  suffix: string;
  /** The largest zstd window that the agent can read, as a power of two. */
  window_log: number;
  /** The agent's first version that reads compressed sessions. */
  since: string;
  /** Finds the sessions that are not compressed. */
  files(place: AgentPlace): Iterable<RepairedFile>;
  /** Keeps the agent's clients out of a session, or tells that a client has the session open. */
  hold(file: RepairedFile, place: AgentPlace): Promise<SessionHold>;
}
