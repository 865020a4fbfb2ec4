/**
 * Summarizes a Qwen Code session from the first and the last 64 KiB of its file. Qwen Code does the
 * same. It repeats the title every 32 KiB (chatRecordingService.ts `METADATA_REANCHOR_BYTES`), and
 * looks for it in the tail, then in the head.
 */
import type { LogEvent } from "../../event/envelope.ts";
import { foldEvents } from "../../projection/projection.ts";
import type { AgentSession } from "../../source/agent.ts";
import { summarizeFromEdges } from "../../reading/summary/edge_summary.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { type FileEdges, recordsIn } from "../../reading/records/file_edges.ts";
import { ROW_KINDS, type RowSummary, rowSummary } from "../../reading/summary/row_summary.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { startEmission } from "./header.ts";
import { findLivePath } from "./live_path.ts";
import { readSession } from "./read.ts";
import { emitRecord } from "./record_events.ts";
import { addRecord, emptyIndex, type RecordNode } from "./record_index.ts";

/** Summarizes a session; see {@linkcode Agent.summarize}. */
export const summarizeSession = summarizeFromEdges({ read: readSession, fromEdges });

function fromEdges(session: AgentSession, edges: FileEdges): RowSummary | undefined {
  const events = edgeEvents(session, edges);
  return events === undefined ? undefined : foldEvents(rowSummary(), events);
}

/**
 * The events of the first prompt and of the last records. What lies in between is not known: the
 * first prompt is taken for live. Undefined where an edge does not hold what is wanted.
 */
function edgeEvents(session: AgentSession, { head, tail }: FileEdges): LogEvent[] | undefined {
  const index = emptyIndex();
  const records = new Map<number, SourceRecord>();
  for (const record of [...recordsIn(head), ...recordsIn(tail)]) {
    records.set(record.position.offset, record);
    addRecord(index, record);
  }
  const start = tail[0]?.offset ?? Infinity;
  const isPrompt = ({ type, subtype }: RecordNode): boolean =>
    type === "user" && subtype === undefined;
  const prompt = index.nodes.find(isPrompt);
  const { path } = findLivePath(index);
  const last = path.filter(({ fragments: [first] }) => (first?.offset ?? 0) >= start);
  if (prompt === undefined || !last.some(isPrompt)) return undefined;
  const writer = new EventWriter(session, ROW_KINDS);
  const emission = startEmission({ session, writer, index, path: [] });
  for (const node of [prompt, ...last]) {
    emitRecord(emission, node, node.fragments.flatMap(({ offset }) => records.get(offset) ?? []));
  }
  return writer.take();
}
