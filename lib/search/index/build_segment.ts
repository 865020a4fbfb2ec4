/**
 * Builds one file of the index. Reprise logs are read on from the index's end. So are sessions of
 * other agents whose reader gives lasting places; all others are read anew.
 */
import { present } from "../../event/present.ts";
import { openReader } from "../../library/registry.ts";
import type { LogEvent } from "../../event/envelope.ts";
import { SessionError } from "../../event/session_error.ts";
import { isFault, type Report } from "../../log/diagnostic.ts";
import { readEvents } from "../../log/read_events.ts";
import type { AgentSession, SessionReader } from "../../source/agent.ts";
import { PassedPlaces } from "../../library/catalogue/kept_places.ts";
import type { KeptRead } from "../../library/keep_counts.ts";
import { countingRead, eventsOfMain, type OnCounted } from "../../library/session_count.ts";
import type { ReadPlace, SessionReading } from "../../source/session_reading.ts";
import { sessionRef } from "../../source/session_name.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { sizeOf } from "../search_task.ts";
import { searchableTexts, SEARCHED_KINDS } from "../searchable_text.ts";
import { type IndexEntry, SegmentWriter } from "./segment_writer.ts";
import {
  edgeChecksums,
  type FileStamp,
  isUnchanged,
  lastLineEnd,
  stampFile,
} from "./source_stamp.ts";

/** A session to index, and the place where its indexed part ends. */
export interface IndexItem {
  session: AgentSession;
  /** Bytes that are indexed; undefined for none. */
  from: number | undefined;
  /** The place at which another agent's session is read on. @default {its beginning} */
  place?: ReadPlace;
  /** The files that were read up to that place. */
  paths?: readonly string[];
  missing_bytes: number;
}

/** The queue of items, shared by the threads. */
interface BuildTurns {
  take(): IndexItem | undefined;
  onDone(bytes: number): void;
}

/** The outcome of a build. */
export interface BuiltSegment {
  /** Sessions that cannot be indexed. */
  passed_over: number;
  /** Reads of whole sessions, whose counts can be stored. */
  counted: readonly KeptRead[];
}

/** Adds items to a file of the index; the file is empty or a copy. */
export async function buildSegment(
  path: string,
  { take, onDone }: BuildTurns,
): Promise<BuiltSegment> {
  using writer = new SegmentWriter(path);
  const counted: KeptRead[] = [];
  const onCounted = (read: KeptRead): unknown => counted.push(read);
  let passed_over = 0;
  for (let item = take(); item !== undefined; item = take()) {
    if (!await store(writer, item, onCounted)) {
      passed_over++;
      passOver(writer, item.session);
    }
    onDone(item.missing_bytes);
  }
  writer.finish();
  return { passed_over, counted };
}

/** Records that a session cannot be indexed in its present state. */
function passOver(writer: SegmentWriter, session: AgentSession): void {
  writer.dropEntry();
  const { path } = session;
  const stamps = [stampFile(path)];
  writer.endEntry({ ref: sessionRef(session), path, stamps, from: 0, to: 0, passed_over: true });
}

/** Adds a session to a file of the index; false if it cannot be indexed. */
async function store(
  writer: SegmentWriter,
  item: IndexItem,
  onCounted: OnCounted,
): Promise<boolean> {
  try {
    const reader = await openReader(item.session);
    const log = reader.log?.path;
    return log === undefined
      ? await storeForeign(writer, reader, item, onCounted)
      : await storeLog(writer, log, item);
  } catch (error) {
    if (error instanceof SessionError) return false;
    throw error;
  }
}

/** Adds a log. A faulty log is left out, because salvage needs a whole read. */
async function storeLog(
  writer: SegmentWriter,
  path: string,
  { session, from = 0 }: IndexItem,
): Promise<boolean> {
  const stamp = stampFile(path);
  const to = lastLineEnd(path, stamp.size);
  if (to < from || (to === 0 && stamp.size > 0)) return false;
  let damaged = false;
  const report: Report = ({ code }) => {
    damaged ||= isFault(code);
  };
  for await (const events of readEvents(path, { kinds: SEARCHED_KINDS, from, to, report })) {
    if (damaged) break;
    for (const event of events) addTexts(writer, event);
  }
  const edges = edgeChecksums(path, to);
  if (damaged || edges === undefined) return false;
  writer.endEntry({ ref: sessionRef(session), path, stamps: [stamp], from, to, edges });
  return true;
}

/** Adds another agent's session, from its place if the place is valid. */
async function storeForeign(
  writer: SegmentWriter,
  reader: SessionReader,
  item: IndexItem,
  onCounted: OnCounted,
): Promise<boolean> {
  const { session } = item;
  const files = await reader.files();
  if (files === undefined) return false;
  const stamps = files.paths.map(stampFile);
  const [own] = stamps;
  const is_long = own?.path === session.path && own.size >= PLACED_BYTES;
  const passed = new PassedPlaces();
  const reading = is_long
    ? await reader.openReading(passed.watching({ needs: SEARCHED_KINDS, lasting: true }))
    : undefined;
  const main = reading && new PlacedThread(reading, passed);
  if (main !== undefined && await goesOn(main, item, files.paths)) {
    return await storeRest(writer, main, item, stamps);
  }
  return await storeThreads(writer, reader, { stamps, main, onCounted });
}

/** Minimum size of sessions with places; shorter ones are read anew as fast. */
const PLACED_BYTES = 256 * 1024;

/** The main thread of a session, and the last place read. */
class PlacedThread {
  readonly reading: SessionReading;
  readonly passed: PassedPlaces;
  place: ReadPlace | undefined;

  constructor(reading: SessionReading, passed: PassedPlaces) {
    this.reading = reading;
    this.passed = passed;
  }

  async *read(from?: ReadPlace): AsyncGenerator<readonly LogEvent[]> {
    this.place = from;
    for await (const { events, place } of this.reading.from(from)) {
      if (place !== undefined) this.passed.take({ place });
      this.place = place ?? this.place;
      yield events;
    }
  }
}

/** True if a session can be read on from its place, because its indexed part is unchanged. */
async function goesOn(
  { reading }: PlacedThread,
  { place, paths = [] }: IndexItem,
  files: readonly string[],
): Promise<boolean> {
  if (place === undefined || paths.join("\n") !== files.join("\n")) return false;
  return await reading.stands?.(place) ?? true;
}

/** Adds the main thread after a place. */
async function storeRest(
  writer: SegmentWriter,
  main: PlacedThread,
  { session, from = 0, place }: IndexItem,
  stamps: readonly FileStamp[],
): Promise<boolean> {
  for await (const events of main.read(place)) {
    for (const event of events) addTexts(writer, event);
  }
  return endStored(writer, session, stamps, main, { from, ...present({ behind: place?.seq }) });
}

/** Adds all threads of a session. */
async function storeThreads(
  writer: SegmentWriter,
  reader: SessionReader,
  { stamps, main, onCounted }: {
    stamps: readonly FileStamp[];
    main: PlacedThread | undefined;
    onCounted: OnCounted;
  },
): Promise<boolean> {
  const { session } = reader;
  const read = reader.readThreads({ needs: SEARCHED_KINDS, main: main?.read() });
  const threads: string[] = [MAIN_THREAD];
  const counting = countingRead(session, read, eventsOfMain, { onCounted, passed: main?.passed });
  for await (const { thread, events } of counting) {
    if (threads.at(-1) !== thread) threads.push(thread);
    for (const event of events) addTexts(writer, event, threads.length - 1);
  }
  const others = threads.length > 1 ? threads : undefined;
  return endStored(writer, session, stamps, main, present({ from: 0, threads: others }));
}

/** Ends a session's entry, unless the session changed while it was read. */
function endStored(
  writer: SegmentWriter,
  session: AgentSession,
  stamps: readonly FileStamp[],
  main: PlacedThread | undefined,
  entry: Pick<IndexEntry, "from" | "behind" | "threads">,
): boolean {
  if (!stamps.every((stamp) => isUnchanged(stamp))) return false;
  const { path } = session;
  const to = stamps[0]?.size ?? 0;
  const edges = main?.place === undefined ? undefined : edgeChecksums(path, to);
  // After half a line, reading cannot continue.
  const is_cut = edges !== undefined && lastLineEnd(path, to) < to;
  const place = edges === undefined || is_cut ? {} : { place: main?.place, edges };
  writer.endEntry({ ref: sessionRef(session), path, stamps, to, ...entry, ...present(place) });
  return true;
}

function addTexts(writer: SegmentWriter, event: LogEvent, thread = 0): void {
  for (const { role, pieces } of searchableTexts(event)) {
    const { offset = 0, length = 0 } = event.position ?? {};
    const time = Date.parse(event.time ?? "");
    const text = { seq: event.seq, role, time, size: sizeOf(pieces), offset, length, thread };
    writer.add(text, pieces);
  }
}
