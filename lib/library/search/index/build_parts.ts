/**
 * Builds parts of the index. A Reprise log is read from the end of its indexed part. So is a
 * session of another agent if its reader can continue from a stored place. All other sessions are
 * read from the beginning.
 */
import { present } from "../../../core/event/present.ts";
import { openReader } from "../../machine/registry.ts";
import type { LogEvent } from "../../../core/event/envelope.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { isFault, type Report } from "../../../core/log/diagnostic.ts";
import { nextTurn } from "../../../core/log/next_turn.ts";
import { readEvents } from "../../../core/log/read_events.ts";
import type { AgentSession, SessionReader } from "../../../agents/contract/agent.ts";
import { PassedPlaces } from "../../catalogue/kept_places.ts";
import type { KeptRead } from "../../counts/keep_counts.ts";
import { countingRead, eventsOfMain } from "../../counts/session_count.ts";
import type { ReadPlace, SessionReading } from "../../../agents/contract/session_reading.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import { sizeOf } from "../search_task.ts";
import { searchableTexts, SEARCHED_KINDS } from "../searchable_text.ts";
import type { GrownFrom } from "./index_state.ts";
import { type BuiltPart, type EndedSource, PartBuilder } from "./part_builder.ts";
import {
  areUnchanged,
  edgeChecksums,
  type FileStamp,
  lastLineEnd,
  stampFile,
  stampsOf,
} from "./source_stamp.ts";

/** A session to index, with the point after its indexed part where reading resumes. */
export interface IndexItem extends GrownFrom {
  session: AgentSession;
  missing_bytes: number;
}

interface BuildTurns {
  take(): IndexItem | undefined;
  onDone(bytes: number): void;
  onPart(part: BuiltPart): void;
}

export async function buildParts({ take, onDone, onPart }: BuildTurns): Promise<void> {
  const builder = new PartBuilder(onPart);
  for (let item = take(); item !== undefined; item = take()) {
    if (!await store(builder, item)) passOver(builder, item.session);
    onDone(item.missing_bytes);
    // The main thread stores what others built.
    await nextTurn();
  }
  builder.flush();
}

function passOver(builder: PartBuilder, session: AgentSession): void {
  builder.dropSource();
  const stamps = stampsOf(session, [session.path]);
  builder.endSource({ session, stamps, from: 0, to: 0, passed_over: true });
}

/** Returns false if the session cannot be indexed. */
async function store(builder: PartBuilder, item: IndexItem): Promise<boolean> {
  try {
    const reader = await openReader(item.session);
    const log = reader.log?.path;
    return log === undefined
      ? await storeForeign(builder, reader, item)
      : await storeLog(builder, log, item);
  } catch (error) {
    if (error instanceof SessionError) return false;
    throw error;
  }
}

/** Indexes a log. Returns false if the log has faults, because a repair needs the whole log. */
async function storeLog(
  builder: PartBuilder,
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
    for (const event of events) addTexts(builder, event);
  }
  const edges = edgeChecksums(path, to);
  if (damaged || edges === undefined) return false;
  builder.endSource({ session, stamps: [stamp], from, to, edges });
  return true;
}

/** Reads only what the file gained since the last build, if the reader can resume there. */
async function storeForeign(
  builder: PartBuilder,
  reader: SessionReader,
  item: IndexItem,
): Promise<boolean> {
  const { session } = item;
  const files = await reader.files();
  if (files === undefined) return false;
  const stamps = stampsOf(session, files.paths);
  const [own] = stamps;
  const is_long = session.printed === undefined && own?.path === session.path &&
    own.size >= PLACED_BYTES;
  const passed = new PassedPlaces();
  const reading = is_long
    ? await reader.openReading(passed.watching({ needs: SEARCHED_KINDS, lasting: true }))
    : undefined;
  const main = reading && new PlacedThread(reading, passed);
  if (main !== undefined && await goesOn(main, item, files.paths)) {
    return await storeRest(builder, main, item, stamps);
  }
  return await storeThreads(builder, reader, stamps, main);
}

/** Minimum bytes of a session whose resume point is stored. Smaller sessions are read anew. */
const PLACED_BYTES = 256 * 1024;

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

/** True if reading can resume at the stored point, as everything before it is unchanged. */
async function goesOn(
  { reading }: PlacedThread,
  { place, paths = [] }: IndexItem,
  files: readonly string[],
): Promise<boolean> {
  if (place === undefined || paths.join("\n") !== files.join("\n")) return false;
  return await reading.stands?.(place) ?? true;
}

async function storeRest(
  builder: PartBuilder,
  main: PlacedThread,
  { session, from = 0, place }: IndexItem,
  stamps: readonly FileStamp[],
): Promise<boolean> {
  for await (const events of main.read(place)) {
    for (const event of events) addTexts(builder, event);
  }
  return endStored(builder, session, stamps, main, { from, ...present({ behind: place?.seq }) });
}

async function storeThreads(
  builder: PartBuilder,
  reader: SessionReader,
  stamps: readonly FileStamp[],
  main: PlacedThread | undefined,
): Promise<boolean> {
  const { session } = reader;
  const read = reader.readThreads({ needs: SEARCHED_KINDS, main: main?.read() });
  const threads: string[] = [MAIN_THREAD];
  const onCounted = (counted: KeptRead): void => builder.count(counted);
  const counting = countingRead(session, read, eventsOfMain, { onCounted, passed: main?.passed });
  for await (const { thread, events } of counting) {
    if (threads.at(-1) !== thread) threads.push(thread);
    for (const event of events) addTexts(builder, event, threads.length - 1);
  }
  const others = threads.length > 1 ? threads : undefined;
  return endStored(builder, session, stamps, main, present({ from: 0, threads: others }));
}

/** Returns false if the session changed while it was read. */
function endStored(
  builder: PartBuilder,
  session: AgentSession,
  stamps: readonly FileStamp[],
  main: PlacedThread | undefined,
  source: Pick<EndedSource, "from" | "behind" | "threads">,
): boolean {
  if (!areUnchanged(session, stamps)) return false;
  const { path } = session;
  const to = stamps[0]?.size ?? 0;
  const edges = main?.place === undefined ? undefined : edgeChecksums(path, to);
  // After half a line, reading cannot continue.
  const is_cut = edges !== undefined && lastLineEnd(path, to) < to;
  const place = edges === undefined || is_cut ? {} : { place: main?.place, edges };
  builder.endSource({ session, stamps, to, ...source, ...present(place) });
  return true;
}

function addTexts(builder: PartBuilder, event: LogEvent, thread = 0): void {
  for (const { role, pieces } of searchableTexts(event)) {
    const { offset = 0, length = 0 } = event.position ?? {};
    const time = Date.parse(event.time ?? "");
    const text = { seq: event.seq, role, time, size: sizeOf(pieces), offset, length, thread };
    builder.add(text, pieces);
  }
}
