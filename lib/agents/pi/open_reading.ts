/**
 * Reads a pi session that is one straight line from any of its entries. A session with branches is
 * read along its tree, from the root.
 */
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import type { PlacedEvents, ReadPlace, SessionReading } from "../../source/session_reading.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { EventWriter } from "../event_writer.ts";
import { asText } from "../json_value.ts";
import { readLines } from "../jsonl_records.ts";
import { parseRecords, type SourceRecord } from "../source_record.ts";
import type { StartedCall } from "./assistant_events.ts";
import { type Emission, emitEntry, startEmission } from "./entry_events.ts";
import { type EntryIndex, indexEntryLines } from "./entry_index.ts";
import { emitHeader, toStarted } from "./header.ts";
import { FIRST_ENTRIES } from "./prompt.ts";
import { isStraightLine, UNEDITED } from "./straight_line.ts";

/** A place behind a line. */
interface LinePlace extends ReadPlace {
  offset: number;
  line: number;
  turn_id: string | undefined;
  /** Calls whose result is still to come. */
  calls: readonly (readonly [string, StartedCall])[];
}

/** Opens a session; see {@linkcode Agent.openReading}. */
export async function openReading(
  session: AgentSession,
  options: AgentReadOptions,
): Promise<SessionReading | undefined> {
  const { thread = MAIN_THREAD, signal } = options;
  if (thread !== MAIN_THREAD || !await isStraightLine(session, signal, UNEDITED)) return undefined;
  const index = await firstEntries(session);
  // Of a fork the copies are counted first.
  if (toStarted(session, index.header).parent !== undefined) return undefined;
  return {
    from: (place, signal) =>
      eventsFrom(session, index, signal === undefined ? options : { ...options, signal }, place),
  };
}

/** The header, and the entries that tell what the session is called. */
async function firstEntries({ path }: AgentSession): Promise<EntryIndex> {
  const first: EntryIndex = { nodes: [], tree: new Map() };
  for await (const lines of readLines(path)) {
    const { header, nodes } = indexEntryLines(lines);
    first.header ??= header as SourceRecord;
    first.nodes.push(...nodes);
    if (first.nodes.length >= FIRST_ENTRIES) break;
  }
  return first;
}

async function* eventsFrom(
  session: AgentSession,
  index: EntryIndex,
  { needs, signal, report }: AgentReadOptions,
  place: ReadPlace | undefined,
): AsyncGenerator<PlacedEvents> {
  const from = place as LinePlace | undefined;
  const writer = new EventWriter(session, needs, { behind: from?.seq ?? 0, named: false });
  const emission = startEmission(writer);
  if (from === undefined) {
    await emitHeader(session, { index, path: index.nodes, thorough: false }, emission);
  }
  emission.turn_id = from?.turn_id;
  for (const [id, call] of from?.calls ?? []) emission.calls.set(id, call);
  const range = from === undefined ? {} : { from: from.offset, line: from.line };
  for await (const lines of readLines(session.path, { ...range, signal })) {
    let behind: LinePlace | undefined;
    for (const line of lines) {
      const records: SourceRecord[] = [];
      parseRecords(line, records, { report });
      if (records[0] !== undefined) takeRecord(emission, records[0]);
      behind ??= {
        seq: writer.seq,
        offset: line.offset + line.length,
        line: line.line + 1,
        turn_id: emission.turn_id,
        calls: [...emission.calls],
      };
    }
    yield { events: writer.take(), ...(behind === undefined ? {} : { place: behind }) };
  }
}

/** Takes the entry of a line. */
export function takeRecord(emission: Emission, record: SourceRecord): void {
  const { id, type = "" } = record.value;
  if (type === "session") return;
  const { position } = record;
  emitEntry(emission, { id: asText(id) ?? "", type: asText(type) ?? "", ...position }, record);
}
