/** The facts that only reading a whole session gives, with the state of its files at that time. */
import type { Summary } from "../../core/projection/summary_row.ts";
import type { UsageRow } from "../../core/projection/usage_rows.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { isSameState, lookAtSession, type SessionState } from "./session_state.ts";

/** Fields of a summary that only reading the whole session tells. */
export type SummaryCounts = Pick<
  Summary,
  | "message_count"
  | "turn_count"
  | "active_ms"
  | "last_seq"
  | "usage"
  | "cost_usd"
  | "main"
  | "cost_estimated"
  | "unknown_models"
  | "models"
  | "threads"
>;

export interface ReadFiles {
  /**
   * The files that were read, the session's own first, and the folders in which more of them may
   * appear.
   */
  files: readonly string[];
  /** The state of those files before they were read. */
  state: SessionState;
}

/** Everything about a session that only reading the whole of it tells. */
export interface ReadPart extends ReadFiles {
  counts?: SummaryCounts;
  /** True if the row beside it is that of the whole session, and not of its ends. */
  whole?: boolean;
  /** Usage by day and model. */
  usage?: readonly UsageRow[];
}

/** True while all files are as they were when they were read. */
export function isFresh(session: AgentSession, { files, state }: ReadFiles): boolean {
  return isSameState(state, lookAtSession(session, files));
}
