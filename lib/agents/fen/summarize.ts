/**
 * What a list shows of a session of fen.
 */
import { SUMMARY_KINDS } from "../../event/policy.ts";
import { foldBatches, foldEvents } from "../../projection/projection.ts";
import { type LogSummary, summary } from "../../projection/summary.ts";
import type { Summary } from "../../projection/summary_row.ts";
import type { AgentSession } from "../../source/agent.ts";
import { agentSummary } from "../agent_summary.ts";
import { type FileEdges, readEdges, recordsIn } from "../file_edges.ts";
import { readRecordsFromEnd } from "../jsonl_records.ts";
import type { SourceRecord } from "../source_record.ts";
import { FenEvents, readFen } from "./read.ts";

/** Summarizes a session from its head and tail, or from all of it. */
export async function summarizeFen(
  session: AgentSession,
  { exact = false }: { exact?: boolean } = {},
): Promise<Summary | undefined> {
  const edges = readEdges(session.path);
  const quick = exact || edges.whole ? undefined : await fromEdges(session, edges);
  const log = quick ?? await foldBatches(summary(), readFen(session, { needs: SUMMARY_KINDS }));
  if (log.last_seq === undefined) return undefined;
  return agentSummary(session, log, { bytes: edges.size, exact: quick === undefined });
}

/** Undefined where the head does not hold the first prompt. */
async function fromEdges(session: AgentSession, edges: FileEdges): Promise<LogSummary | undefined> {
  const head = fold(session, recordsIn(edges.head));
  if (head.first_user_message === undefined) return undefined;
  const tail = fold(session, await tailRecords(session.path, edges));
  const { last_user_message: _, ...rest } = head;
  return {
    ...rest,
    ...(tail.updated_at === undefined ? {} : { updated_at: tail.updated_at }),
    ...(tail.last_user_message === undefined ? {} : { last_user_message: tail.last_user_message }),
  };
}

/** The last records: more is read where the last line alone is longer than the edge. */
async function tailRecords(path: string, { tail }: FileEdges): Promise<SourceRecord[]> {
  const records = recordsIn(tail);
  if (records.length > 0) return records;
  for await (const batch of readRecordsFromEnd(path)) return batch.reverse();
  return [];
}

function fold(session: AgentSession, records: Iterable<SourceRecord>): LogSummary {
  const events = new FenEvents(session, { needs: SUMMARY_KINDS });
  for (const record of records) events.take(record);
  return foldEvents(summary(), events.writer.take());
}
