/** Summarizes a chat for a list. */
import { foldEvents } from "../../projection/projection.ts";
import { type LogSummary, summary } from "../../projection/summary.ts";
import type { AgentSession } from "../../source/agent.ts";
import { summarizeFromEdges } from "../edge_summary.ts";
import { EventWriter } from "../event_writer.ts";
import { recordsIn } from "../file_edges.ts";
import type { SourceRecord } from "../source_record.ts";
import { startChat } from "./message_events.ts";
import { emitRun, indexRecord, readGemini, runsOf, startIndex, startSession } from "./read.ts";

/** A smaller chat is read as a whole: only then is it known which messages stand. */
const SMALL_BYTES = 512 * 1024;
const EDGE_BYTES = 128 * 1024;

/** The row of a chat; undefined when the file holds none. */
export const summarizeGemini = summarizeFromEdges({
  read: readGemini,
  edges: { head_bytes: EDGE_BYTES, tail_bytes: EDGE_BYTES },
  fromEdges(session, { size, head, tail }): LogSummary | undefined {
    return size <= SMALL_BYTES || session.path.endsWith(".json")
      ? undefined
      : edgesSummary(session, recordsIn([...head, ...tail]));
  },
});

/** What the edges tell: a message that is taken back in between is not known of. */
function edgesSummary(session: AgentSession, records: readonly SourceRecord[]): LogSummary {
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
  return foldEvents(summary(), writer.take());
}
