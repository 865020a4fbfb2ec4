/** Summarizes a Copilot CLI session from the first and the last 64 KiB of its log. */
import type { AgentSession } from "../../source/agent.ts";
import {
  foldRecords,
  joinedSummary,
  summarizeFromEdges,
} from "../../reading/summary/edge_summary.ts";
import { type FileEdges, recordsIn } from "../../reading/records/file_edges.ts";
import { ROW_KINDS, type RowSummary } from "../../reading/summary/row_summary.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { CopilotEvents, readSession } from "./read.ts";
import { isDocument } from "./session_file.ts";

/** Summarizes a session; see {@linkcode Agent.summarize}. */
export const summarizeSession = summarizeFromEdges({ read: readSession, fromEdges });

function fromEdges(session: AgentSession, { head, tail }: FileEdges): RowSummary | undefined {
  if (isDocument(session.path)) return undefined;
  const fold = (records: Iterable<SourceRecord>): RowSummary =>
    foldRecords(new CopilotEvents(session, { needs: ROW_KINDS }), records);
  const last = fold(recordsIn(tail));
  // One prompt may be followed by much work.
  return last.last_user_message === undefined
    ? undefined
    : joinedSummary(fold(recordsIn(head)), last);
}
