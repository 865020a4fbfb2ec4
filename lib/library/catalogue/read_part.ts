/** Facts that are known only after the whole session was read, with the state of its files then. */
import type { Summary } from "../../core/projection/summary_row.ts";
import type { UsageRow } from "../../core/projection/usage_rows.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { isSameState, lookAtSession, type SessionState } from "./session_state.ts";

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
  /** The files that were read, the session's own first, and folders where new ones may appear. */
  files: readonly string[];
  /** The sizes and times of `files` before they were read. */
  state: SessionState;
}

export interface ReadPart extends ReadFiles {
  counts?: SummaryCounts;
  /** True if the row's summary was made from the whole session, not just its start and end. */
  whole?: boolean;
  usage?: readonly UsageRow[];
}

export function isFresh(session: AgentSession, { files, state }: ReadFiles): boolean {
  return isSameState(state, lookAtSession(session, files));
}
