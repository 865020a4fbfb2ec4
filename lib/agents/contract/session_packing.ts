/** The contract of an agent that reads its own sessions compressed by zstd. */
import type { AgentPlace } from "./agent_environment.ts";
import type { RepairedFile, SessionHold } from "./session_repair.ts";

/** The compressed form that an agent reads. */
export interface SessionPacking {
  suffix: string;
  /** The largest window that it reads, as a power of two. */
  window_log: number;
  /** Its first version that reads them. */
  since: string;
  /** Finds the sessions that are not compressed. */
  files(place: AgentPlace): Iterable<RepairedFile>;
  /** Keeps its clients out of a session, or says that one has it open. */
  hold(file: RepairedFile, place: AgentPlace): Promise<SessionHold>;
}
