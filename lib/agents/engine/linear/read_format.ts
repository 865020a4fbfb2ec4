/**
 * Reads a session of a linear format: from its beginning, from a resume point, or as messages. A
 * resume point holds the position of a record and the state before this record. A later read,
 * perhaps in another process, begins there.
 */
import type { LogEvent } from "../../../core/event/envelope.ts";
import type { Message } from "../../../core/event/message.ts";
import type {
  AgentConversationOptions,
  AgentReadOptions,
  AgentSession,
} from "../../contract/agent.ts";
import type { PlacedEvents, ReadPlace, SessionReading } from "../../contract/session_reading.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import type { EventSink } from "../events/event_writer.ts";
import { MessageWriter } from "../events/message_writer.ts";
import { present } from "../json.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { SessionFormat } from "../session_format.ts";
import type {
  ForceStart,
  PlacedSource,
  RecordSource,
  SourcePosition,
} from "../sources/record_source.ts";
import { EventRun, FormatRun } from "./format_run.ts";

/** A resume point in a session, as plain JSON data that can be stored. */
interface FormatPlace extends ReadPlace {
  readonly position: SourcePosition;
  readonly state: unknown;
}

/** Minimum number of bytes between two resume points. */
const PLACE_BYTES = 256 * 1024;

/** The distance between resume points, which can change during a read. */
interface PlaceSpacing {
  /** Minimum number of bytes between two resume points. `Infinity` if none are needed. */
  bytes: number;
}

async function* placedEvents(
  run: EventRun,
  batches: AsyncIterable<readonly SourceRecord[]> | Iterable<readonly SourceRecord[]>,
  spacing: PlaceSpacing,
): AsyncGenerator<PlacedEvents> {
  let passed = 0;
  for await (const records of batches) {
    for (const { size, position } of records) passed += size ?? position.length;
    const place = passed >= spacing.bytes ? await takeToPlace(run, records) : undefined;
    if (passed < spacing.bytes) await run.take(records);
    const events = run.events();
    if (place !== undefined) passed = 0;
    if (place !== undefined || events.length > 0) yield { events, ...place };
  }
  const last = passed > 0 && spacing.bytes < Infinity ? placeIn(run) : undefined;
  await run.end();
  yield { events: run.events(), ...last };
}

async function takeToPlace(
  run: EventRun,
  records: readonly SourceRecord[],
): Promise<{ place: FormatPlace } | undefined> {
  let place: { place: FormatPlace } | undefined;
  for (const record of records) {
    await run.take([record]);
    place ??= placeIn(run);
  }
  return place;
}

function placeIn(run: EventRun): { place: FormatPlace } | undefined {
  const reached = run.place();
  if (reached === undefined) return undefined;
  return { place: { seq: run.reading.writer.seq, offset: reached.position.offset, ...reached } };
}

/** Yields events of the thread `options.thread`, a full id. See {@linkcode SessionReader.read}. */
export async function* readFormat(
  format: SessionFormat,
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const { account, needs, onPlace, report, signal, thread = MAIN_THREAD } = options;
  const run = new EventRun(format, session, options);
  const source = format.source(session, thread);
  // An account covers all bytes, even those of messages that the model no longer gets.
  const start = options.in_force && account === undefined
    ? await forceStart(source, signal)
    : undefined;
  const skip = format.skips?.(options.in_force ? needs : undefined);
  const records = source.read({ account, report, signal, skip }, start?.position);
  const spacing = { bytes: onPlace === undefined || start !== undefined ? Infinity : PLACE_BYTES };
  for await (const { events, place } of placedEvents(run, records, spacing)) {
    if (place !== undefined && onPlace?.(place) === false) spacing.bytes = Infinity;
    if (events.length > 0) yield events;
  }
}

/**
 * Yields the messages of the thread with the full id `options.thread`. See
 * {@linkcode SessionReader.messages}.
 */
export async function* readFormatMessages(
  format: SessionFormat<unknown, unknown, EventSink>,
  session: AgentSession,
  options: AgentConversationOptions,
): AsyncGenerator<readonly Message[]> {
  const { tools, reasoning, report, signal, thread = MAIN_THREAD } = options;
  const writer = new MessageWriter(present({ tools, reasoning }));
  const run = new FormatRun(format, session, writer, { report, thread });
  const source = format.source(session, thread);
  const start = await forceStart(source, signal);
  const skip = format.skips?.(writer.needs);
  for await (const records of source.read({ report, signal, skip }, start?.position)) {
    await run.take(records);
    // A later record may replace the earlier messages.
    const messages = start?.settled ? writer.take() : [];
    if (messages.length > 0) yield messages;
  }
  await run.end();
  yield writer.takeLast();
}

/** Finds the current conversation's first record. Undefined if all records must be read. */
async function forceStart(
  source: RecordSource,
  signal: AbortSignal | undefined,
): Promise<ForceStart | undefined> {
  return "rewritten" in source ? undefined : await source.inForce?.(signal);
}

/**
 * Opens the thread with the full id `options.thread`. See {@linkcode SessionReader.openReading}.
 * All reads share one source, because a position may be valid only for the source that returned it.
 *
 * @param place_bytes Minimum number of bytes between two resume points.
 */
export function openFormat(
  format: SessionFormat,
  session: AgentSession,
  options: AgentReadOptions,
  place_bytes = PLACE_BYTES,
): SessionReading | undefined {
  const source = format.source(session, options.thread ?? MAIN_THREAD);
  if ("rewritten" in source) return undefined;
  const { stands } = format;
  return {
    ...(stands === undefined
      ? {}
      : { stands: (place) => stands(session, (place as FormatPlace).position) }),
    from: (place, signal = options.signal) =>
      eventsFrom(
        format,
        session,
        { ...options, signal, source, place_bytes },
        place as FormatPlace | undefined,
      ),
  };
}

interface PlacedOptions extends Pick<AgentReadOptions, "needs" | "report" | "signal" | "thread"> {
  source: PlacedSource;
  place_bytes: number;
}

async function* eventsFrom(
  format: SessionFormat,
  session: AgentSession,
  { needs, report, signal, thread, source, place_bytes }: PlacedOptions,
  place: FormatPlace | undefined,
): AsyncGenerator<PlacedEvents> {
  // A read from a resume point does not know the ids of earlier records. So no read uses ids.
  const run = new EventRun(format, session, {
    needs,
    report,
    thread,
    behind: place?.seq ?? 0,
    named: false,
  });
  if (place !== undefined) await run.goOn(place.state);
  const skip = format.skips?.(undefined);
  const records = source.read({ report, signal, skip }, place?.position);
  yield* placedEvents(run, records, { bytes: place_bytes });
}
