/**
 * What a list shows of a session of Autohand.
 */
import { basename } from "node:path";
import { SUMMARY_KINDS } from "../../event/policy.ts";
import { foldBatches, foldEvents } from "../../projection/projection.ts";
import { type LogSummary, summary } from "../../projection/summary.ts";
import type { Summary } from "../../projection/summary_row.ts";
import type { AgentSession } from "../../source/agent.ts";
import { agentSummary } from "../agent_summary.ts";
import { type FileEdges, readEdges, recordsIn } from "../file_edges.ts";
import type { SourceRecord } from "../source_record.ts";
import { AutohandEvents, readAutohand } from "./read.ts";
import { type JsonFile, METADATA, readMetadata } from "./session_folder.ts";

/** Summarizes a session from its metadata and the edges of its log, or from all of it. */
export async function summarizeAutohand(
  session: AgentSession,
  { exact = false }: { exact?: boolean } = {},
): Promise<Summary | undefined> {
  const edges = readEdges(session.path);
  const whole = exact || edges.whole || basename(session.path) === METADATA;
  const quick = whole ? undefined : fromEdges(session, readMetadata(session), edges);
  const needs = SUMMARY_KINDS;
  const log = quick ?? await foldBatches(summary(), readAutohand(session, { needs }));
  return agentSummary(session, log, { bytes: edges.size, exact: quick === undefined });
}

/** Undefined where the head does not hold the first prompt. */
function fromEdges(
  session: AgentSession,
  metadata: JsonFile,
  edges: FileEdges,
): LogSummary | undefined {
  const head = fold(session, metadata, recordsIn(edges.head));
  if (head.first_user_message === undefined) return undefined;
  const tail = fold(session, metadata, recordsIn(edges.tail));
  const { last_user_message: _, updated_at: __, ...rest } = head;
  const { last_user_message, updated_at } = tail;
  return {
    ...rest,
    ...(updated_at === undefined ? {} : { updated_at }),
    ...(last_user_message === undefined ? {} : { last_user_message }),
  };
}

function fold(
  session: AgentSession,
  metadata: JsonFile,
  records: Iterable<SourceRecord>,
): LogSummary {
  const events = new AutohandEvents(session, metadata, { needs: SUMMARY_KINDS });
  events.start();
  for (const record of records) events.take(record);
  events.end();
  events.close();
  return foldEvents(summary(), events.writer.take());
}
