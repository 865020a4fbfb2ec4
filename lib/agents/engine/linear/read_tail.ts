/**
 * Reads the end of a session of a linear format. Starts at a record that needs no earlier records.
 */
import type { LogEvent } from "../../../core/event/envelope.ts";
import { isSaid } from "../../../core/projection/unseen_message.ts";
import type { AgentReadOptions, AgentSession, AgentTailOptions } from "../../contract/agent.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { SessionFormat } from "../session_format.ts";
import { EventRun } from "./format_run.ts";
import { readFormat } from "./read_format.ts";

/** Number of bytes read from the end at first. Each further attempt reads four times as many. */
const FIRST_BYTES = 64 * 1024;
const GROWTH = 4;

/**
 * Returns the events of a thread's last messages. See {@linkcode SessionReader.readTail}.
 *
 * @param first_bytes Number of bytes that the first attempt reads from the end.
 */
export async function readFormatTail(
  format: SessionFormat,
  session: AgentSession,
  options: AgentTailOptions,
  first_bytes = FIRST_BYTES,
): Promise<readonly LogEvent[]> {
  const source = format.source(session, options.thread ?? MAIN_THREAD);
  const { messages, signal, most_bytes = Infinity } = options;
  const skip = format.skips?.(undefined);
  const readAll = async (): Promise<LogEvent[]> =>
    (await Array.fromAsync(readFormat(format, session, options))).flat();
  if ("rewritten" in source) return await readAll();
  for (
    let bytes = Math.min(first_bytes, most_bytes);;
    bytes = Math.min(bytes * GROWTH, most_bytes)
  ) {
    signal?.throwIfAborted();
    const { records, whole } = await source.last(bytes, { skip, signal });
    if (whole) return await readAll();
    const needing = records.findLastIndex((record) => format.needsBefore?.(record));
    const end = records.slice(needing + 1);
    const least = bytes < most_bytes ? messages : 0;
    const begun = bytes < most_bytes ? format : beginningAmid(format);
    const events = await eventsOfEnd(begun, session, options, end, least);
    if (events !== undefined) return events;
    if (needing >= 0 && most_bytes === Infinity) return await readAll();
  }
}

/** Returns a format whose tail may also begin inside a turn, where `beginsAmid` allows it. */
function beginningAmid(format: SessionFormat): SessionFormat {
  const { standsAlone, beginsAmid } = format;
  if (beginsAmid === undefined) return format;
  return {
    ...format,
    standsAlone: (record, thread) => standsAlone(record, thread) || beginsAmid(record),
  };
}

/**
 * Returns the events of the last messages, from a session's last records. Undefined if these
 * records have fewer than `least` messages.
 */
export async function eventsOfEnd(
  format: SessionFormat,
  session: AgentSession,
  options: AgentTailOptions,
  records: readonly SourceRecord[],
  least = options.messages,
): Promise<readonly LogEvent[] | undefined> {
  const batches = await tailBatches(format, session, options, records);
  const said = batches.reduce((sum, { said }) => sum + said, 0);
  return said < least ? undefined : lastMessages(batches, options.messages);
}

/** A group of events whose first record needs no earlier records. */
interface TailBatch {
  events: LogEvent[];
  /** Number of messages that the user sees. */
  said: number;
}

/** Converts records to events in batches, from the first record that needs no earlier records. */
async function tailBatches(
  format: SessionFormat,
  session: AgentSession,
  { needs, report, thread = MAIN_THREAD }: AgentReadOptions,
  records: readonly SourceRecord[],
): Promise<TailBatch[]> {
  const standsAlone = (record: SourceRecord): boolean => format.standsAlone(record, thread);
  const first = records.findIndex(standsAlone);
  if (first < 0) return [];
  const run = new EventRun(format, session, { needs, report, thread });
  await run.goOn();
  const batches: TailBatch[] = [];
  for (const record of records.slice(first)) {
    // The run emits a record's events when it gets the next record.
    await run.take([record]);
    if (standsAlone(record)) batches.push(batchOf(run.events()));
  }
  await run.end();
  batches.push(batchOf(run.events()));
  return batches;
}

function batchOf(events: LogEvent[]): TailBatch {
  return { events, said: events.filter(isSaid).length };
}

function lastMessages(batches: readonly TailBatch[], messages: number): LogEvent[] {
  let said = 0;
  const from = batches.findLastIndex((batch) => (said += batch.said) >= messages);
  return batches.slice(Math.max(0, from)).flatMap(({ events }) => events);
}
