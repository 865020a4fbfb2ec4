/** The contract of the marks that a running client leaves of the sessions that it has open. */
import type { AgentSession } from "./agent.ts";

/** Pid files or locks, as they are at one moment. */
export interface OpenMarks {
  /** Ids of the sessions that have one; absent where each session must be asked. */
  named?: ReadonlySet<string>;
  /**
   * True while a process has the session open, false if one ended without closing it. Undefined
   * where no mark tells.
   */
  isOpen(session: AgentSession): Promise<boolean | undefined> | boolean | undefined;
}
