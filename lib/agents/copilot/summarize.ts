/**
 * What a list shows of a session of Copilot CLI, from the first and the last 64 KiB of its log.
 */
import { SUMMARY_KINDS } from "../../event/policy.ts";
import { foldBatches, foldEvents } from "../../projection/projection.ts";
import { type LogSummary, summary } from "../../projection/summary.ts";
import type { Summary } from "../../projection/summary_row.ts";
import type { AgentSession } from "../../source/agent.ts";
import { agentSummary } from "../agent_summary.ts";
import { type FileEdges, readEdges, recordsIn } from "../file_edges.ts";
import type { SourceRecord } from "../source_record.ts";
import { CopilotEvents, readSession } from "./read.ts";
import { isDocument } from "./session_file.ts";

/** Summarizes a session; see {@linkcode Agent.summarize}. */
export async function summarizeSession(
  session: AgentSession,
  { exact = false }: { exact?: boolean } = {},
): Promise<Summary | undefined> {
  const edges = readEdges(session.path);
  const whole = exact || edges.whole || isDocument(session.path);
  const quick = whole ? undefined : fromEdges(session, edges);
  const log = quick ?? await foldBatches(summary(), readSession(session, { needs: SUMMARY_KINDS }));
  if (log.last_seq === undefined) return undefined;
  return agentSummary(session, log, { bytes: edges.size, exact: quick === undefined });
}

/** Undefined where an edge does not hold a prompt. */
function fromEdges(session: AgentSession, { head, tail }: FileEdges): LogSummary | undefined {
  const start = fold(session, recordsIn(head));
  const end = fold(session, recordsIn(tail));
  if (start.first_user_message === undefined || end.last_user_message === undefined) {
    return undefined;
  }
  const { closed: _, ...rest } = start;
  return {
    ...rest,
    last_user_message: end.last_user_message,
    ...(end.updated_at === undefined ? {} : { updated_at: end.updated_at }),
    ...(end.closed === undefined ? {} : { closed: end.closed }),
  };
}

function fold(session: AgentSession, records: Iterable<SourceRecord>): LogSummary {
  const events = new CopilotEvents(session, { needs: SUMMARY_KINDS });
  for (const record of records) events.take(record);
  return foldEvents(summary(), events.writer.take());
}
