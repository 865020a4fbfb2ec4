/** Reads the end of a session without the rest. */
import type { LogEvent } from "../../core/event/envelope.ts";
import type { ThreadSummary } from "../../core/projection/summary_row.ts";
import type { AgentSession, AgentTailOptions, SessionReader } from "../../agents/contract/agent.ts";
import type { RefPlace } from "../../core/store/ref.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import type { CatalogueOptions } from "../catalogue/catalogue_options.ts";
import { isFresh, type SummaryCounts } from "../catalogue/read_part.ts";
import { recordInEnd } from "./find_record.ts";
import { lastSeqFromPlace } from "./read_from_place.ts";

/** The last events of a session, with summaries of the session's threads. */
export interface SessionTail {
  /** The last events of the session, the oldest first. */
  events: readonly LogEvent[];
  /** False if the events' real numbers are not known; they are then numbered from 1. */
  numbered: boolean;
  /** The other threads of the session; absent if they are not known. */
  threads?: readonly ThreadSummary[];
}

/** Numbers of bytes to read from the session's end in search of an event, one for each attempt. */
const END_BYTES = [512 * 1024, 4 * 1024 * 1024];
/** Minimum number of events to read before a named one, as context. */
const EVENTS_BEFORE = 16;

/** Reads the session's end. Takes event numbers and threads from the catalogue, if stored there. */
export async function readEnd(
  reader: SessionReader,
  kept: CatalogueOptions,
  options: AgentTailOptions,
): Promise<SessionTail> {
  const events = await reader.readTail(options);
  const is_all = events[0]?.kind === "session_started";
  const { last_seq, threads } = await knownFacts(kept, reader);
  const known = threads === undefined ? {} : { threads };
  return is_all || last_seq === undefined
    ? { events, numbered: is_all, ...known }
    : { events: numberedEnd(events, last_seq), numbered: true, ...known };
}

/** Reads back from the session's end to an event or record. Undefined if the end is not enough. */
export async function readEndAt(
  { record, seq }: RefPlace,
  reader: SessionReader,
  kept: CatalogueOptions,
  options: Omit<AgentTailOptions, "messages">,
): Promise<SessionTail & { seq: number } | undefined> {
  // A number is looked up from a place: then the answer is that of a whole read.
  if (record === undefined && knownCounts(kept, reader.session)?.last_seq === undefined) {
    return undefined;
  }
  for (const most_bytes of END_BYTES) {
    const end = await readEnd(reader, kept, { ...options, messages: Infinity, most_bytes });
    const found = record === undefined ? seq : recordInEnd(end.events, record);
    const at = end.events.findIndex((event) => event.seq === found);
    const is_there = record !== undefined || end.numbered;
    if (found !== undefined && is_there && at > EVENTS_BEFORE) return { ...end, seq: found };
  }
  return undefined;
}

async function knownFacts(
  kept: CatalogueOptions,
  reader: SessionReader,
): Promise<Pick<SummaryCounts, "last_seq" | "threads">> {
  const counts = knownCounts(kept, reader.session) ?? {};
  if (counts.last_seq !== undefined) return counts;
  const last_seq = await lastSeqFromPlace(kept, reader);
  return last_seq === undefined ? counts : { ...counts, last_seq };
}

function knownCounts(kept: CatalogueOptions, session: AgentSession): SummaryCounts | undefined {
  using catalogue = new Catalogue(kept);
  const read = catalogue.lastRow(session)?.read;
  return read !== undefined && isFresh(session, read) ? read.counts : undefined;
}

function numberedEnd(events: readonly LogEvent[], last_seq: number): LogEvent[] {
  const behind = last_seq - (events.at(-1)?.seq ?? last_seq);
  return events.map((event) => {
    const seq = event.seq + behind;
    if (event.form !== "known" || event.kind !== "compaction_applied") return { ...event, seq };
    const { first_kept_seq, ...payload } = event.payload;
    if (first_kept_seq === undefined) return { ...event, seq };
    return { ...event, seq, payload: { ...payload, first_kept_seq: first_kept_seq + behind } };
  });
}
