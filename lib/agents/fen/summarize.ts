/** Summarizes a fen session for a list. */
import type { AgentSession } from "../../source/agent.ts";
import {
  foldRecords,
  joinedSummary,
  summarizeFromEdges,
} from "../../reading/summary/edge_summary.ts";
import { type FileEdges, recordsIn } from "../../reading/records/file_edges.ts";
import { readRecordsFromEnd } from "../../reading/records/jsonl_records.ts";
import { ROW_KINDS, type RowSummary } from "../../reading/summary/row_summary.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { FenEvents, readFen } from "./read.ts";

/** Summarizes a session from its head and tail, or from all of it. */
export const summarizeFen = summarizeFromEdges({ read: readFen, fromEdges });

async function fromEdges(session: AgentSession, edges: FileEdges): Promise<RowSummary | undefined> {
  const fold = (records: Iterable<SourceRecord>): RowSummary =>
    foldRecords(new FenEvents(session, { needs: ROW_KINDS }), records);
  return joinedSummary(
    fold(recordsIn(edges.head)),
    fold(await tailRecords(session.path, edges)),
  );
}

/** The last records: more is read where the last line alone is longer than the edge. */
async function tailRecords(path: string, { tail }: FileEdges): Promise<SourceRecord[]> {
  const records = recordsIn(tail);
  if (records.length > 0) return records;
  for await (const batch of readRecordsFromEnd(path)) return batch.reverse();
  return [];
}
