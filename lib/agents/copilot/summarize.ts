/** Summarizes a Copilot CLI session from the first and the last 64 KiB of its log. */
import { SUMMARY_KINDS } from "../../event/policy.ts";
import type { LogSummary } from "../../projection/summary.ts";
import type { AgentSession } from "../../source/agent.ts";
import { foldRecords, joinedSummary, summarizeFromEdges } from "../edge_summary.ts";
import { type FileEdges, recordsIn } from "../file_edges.ts";
import type { SourceRecord } from "../source_record.ts";
import { CopilotEvents, readSession } from "./read.ts";
import { isDocument } from "./session_file.ts";

/** Summarizes a session; see {@linkcode Agent.summarize}. */
export const summarizeSession = summarizeFromEdges({ read: readSession, fromEdges });

function fromEdges(session: AgentSession, { head, tail }: FileEdges): LogSummary | undefined {
  if (isDocument(session.path)) return undefined;
  const fold = (records: Iterable<SourceRecord>): LogSummary =>
    foldRecords(new CopilotEvents(session, { needs: SUMMARY_KINDS }), records);
  const last = fold(recordsIn(tail));
  // One prompt may be followed by much work.
  return last.last_user_message === undefined
    ? undefined
    : joinedSummary(fold(recordsIn(head)), last);
}
