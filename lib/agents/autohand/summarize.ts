/** Summarizes an Autohand session for a list, from its metadata and the edges of its log. */
import { basename } from "node:path";
import { foldEvents } from "../../projection/projection.ts";
import type { AgentSession } from "../../source/agent.ts";
import { joinedSummary, summarizeFromEdges } from "../../reading/summary/edge_summary.ts";
import { type FileEdges, recordsIn } from "../../reading/records/file_edges.ts";
import { ROW_KINDS, type RowSummary, rowSummary } from "../../reading/summary/row_summary.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { AutohandEvents, readAutohand } from "./read.ts";
import { METADATA, readMetadata } from "./session_folder.ts";

/** Summarizes a session from its metadata and the edges of its log, or from all of it. */
export const summarizeAutohand = summarizeFromEdges({ read: readAutohand, fromEdges });

function fromEdges(session: AgentSession, { head, tail }: FileEdges): RowSummary | undefined {
  if (basename(session.path) === METADATA) return undefined;
  const metadata = readMetadata(session);
  const fold = (records: Iterable<SourceRecord>): RowSummary => {
    const events = new AutohandEvents(session, metadata, { needs: ROW_KINDS });
    events.start();
    for (const record of records) events.take(record);
    events.end();
    return foldEvents(rowSummary(), events.writer.take());
  };
  return joinedSummary(fold(recordsIn(head)), fold(recordsIn(tail)));
}
