/** Builds a list's row of an agent's session from its events. */
import type { LogSummary } from "../../projection/summary.ts";
import type { Summary } from "../../projection/summary_row.ts";
import type { AgentSession } from "../../source/agent.ts";
import { sessionRef } from "../../source/session_name.ts";

const COUNTS = ["message_count", "turn_count", "usage", "cost_usd", "models", "last_seq"] as const;

/**
 * Returns the row of a session, with the status that its records tell: a reader does not look for
 * processes. Without `exact` the counts are left out: its events were not all read.
 */
export function agentSummary(
  session: AgentSession,
  log: LogSummary & { open?: boolean },
  { bytes, exact = false }: { bytes?: number; exact?: boolean } = {},
): Summary {
  const { closed, open, renamed_at: _, archived_at: __, findings: ___, ...rest } = log;
  const { agent, id, path, archived } = session;
  const row: Summary = {
    ...rest,
    ref: sessionRef(session),
    agent,
    session_id: id,
    path,
    status: closed ?? (open ? "interrupted" : "idle"),
    archived: archived === true || rest.archived,
    ...(bytes === undefined ? {} : { bytes }),
  };
  // What a source does not tell, its events say with an empty text.
  if (row.cwd === "") delete row.cwd;
  if (row.created_at === "") delete row.created_at;
  if (!exact) { for (const field of COUNTS) delete row[field]; }
  return row;
}
