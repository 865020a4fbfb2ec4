/** Summarizes a chat for a list. */
import { foldEvents } from "../../projection/projection.ts";
import type { Summary } from "../../projection/summary_row.ts";
import type { AgentSession, AgentSummaryOptions } from "../../source/agent.ts";
import { summarizeFromEdges } from "../../reading/summary/edge_summary.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { readEdges, recordsIn } from "../../reading/records/file_edges.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { type RowSummary, rowSummary } from "../../reading/summary/row_summary.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { startChat } from "./message_events.ts";
import { emitRun, indexRecord, readGemini, runsOf, startIndex, startSession } from "./read.ts";

/** A smaller chat is read as a whole: only then is it known which messages stand. */
const SMALL_BYTES = 512 * 1024;
const EDGE_BYTES = 128 * 1024;
/** The first line has no message. */
const HEAD_LINE_BYTES = 16 * 1024;

/** Summarizes a chat; undefined when the file holds none. */
export async function summarizeGemini(
  session: AgentSession,
  options?: AgentSummaryOptions,
): Promise<Summary | undefined> {
  const row = await summarizeMessages(session, options);
  const stated = statedUpdate(session.path);
  if (row === undefined || stated === undefined) return row;
  return stated > (row.updated_at ?? "") ? { ...row, updated_at: stated } : row;
}

const summarizeMessages = summarizeFromEdges({
  read: readGemini,
  edges: { head_bytes: EDGE_BYTES, tail_bytes: EDGE_BYTES },
  fromEdges(session, { size, head, tail }): RowSummary | undefined {
    return size <= SMALL_BYTES || session.path.endsWith(".json")
      ? undefined
      : edgesSummary(session, recordsIn([...head, ...tail]));
  },
});

/**
 * Returns the time of the last update that the first line states. Gemini CLI deletes by it (0.61). In a
 * chat that was handed over it is later than all messages.
 */
function statedUpdate(path: string): string | undefined {
  if (!path.endsWith(".jsonl")) return undefined;
  const [first] = recordsIn(readEdges(path, { head_bytes: HEAD_LINE_BYTES, tail_bytes: 0 }).head);
  return isoTime(first?.value.lastUpdated);
}

/** What the edges tell: a message that is taken back in between is not known of. */
function edgesSummary(session: AgentSession, records: readonly SourceRecord[]): RowSummary {
  const index = startIndex();
  const { replay } = index;
  for (const record of records) {
    const { $rewindTo } = record.value;
    if (typeof $rewindTo === "string" && !replay.messages.has($rewindTo)) continue;
    indexRecord(index, record, undefined);
  }
  const writer = new EventWriter(session);
  startSession(writer, session, index);
  const chat = startChat(writer, replay.head);
  const lines = new Map(records.map((record) => [record.position.offset, record]));
  for (const run of runsOf(replay.messages)) emitRun(chat, run, lines.get(run.offset));
  return foldEvents(rowSummary(), writer.take());
}
