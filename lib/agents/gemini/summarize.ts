/**
 * What a list shows of a chat.
 */
import { foldBatches, foldEvents } from "../../projection/projection.ts";
import { summary } from "../../projection/summary.ts";
import type { Summary } from "../../projection/summary_row.ts";
import type { AgentSession } from "../../source/agent.ts";
import { agentSummary } from "../agent_summary.ts";
import { EventWriter } from "../event_writer.ts";
import { readEdges, recordsIn } from "../file_edges.ts";
import type { SourceRecord } from "../source_record.ts";
import { startChat } from "./message_events.ts";
import { emitRun, indexRecord, readGemini, runsOf, startIndex, startSession } from "./read.ts";

/** A smaller chat is read as a whole: only then is it known which messages stand. */
const SMALL_BYTES = 512 * 1024;
const EDGE_BYTES = 128 * 1024;

/** The row of a chat; undefined when the file holds none. */
export async function summarizeGemini(
  session: AgentSession,
  { exact = false }: { exact?: boolean } = {},
): Promise<Summary | undefined> {
  const edges = readEdges(session.path, { head_bytes: EDGE_BYTES, tail_bytes: EDGE_BYTES });
  const { size, head, tail } = edges;
  if (exact || size <= SMALL_BYTES || session.path.endsWith(".json")) {
    const log = await foldBatches(summary(), readGemini(session));
    return log.last_seq === undefined
      ? undefined
      : agentSummary(session, log, { bytes: size, exact: true });
  }
  const row = edgesSummary(session, recordsIn([...head, ...tail]));
  return row === undefined ? undefined : { ...row, bytes: size };
}

/** What the edges tell: a message that is taken back in between is not known of. */
function edgesSummary(
  session: AgentSession,
  records: readonly SourceRecord[],
): Summary | undefined {
  const index = startIndex();
  const { replay } = index;
  for (const record of records) {
    const { $rewindTo } = record.value;
    if (typeof $rewindTo === "string" && !replay.messages.has($rewindTo)) continue;
    indexRecord(index, record, undefined);
  }
  const writer = new EventWriter(session);
  startSession(writer, session, index);
  const chat = startChat(writer);
  const lines = new Map(records.map((record) => [record.position.offset, record]));
  for (const run of runsOf(replay.messages)) emitRun(chat, run, lines.get(run.offset));
  const log = foldEvents(summary(), writer.take());
  return log.last_seq === undefined ? undefined : agentSummary(session, log);
}
