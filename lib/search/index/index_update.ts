/**
 * Brings an index up to date. Reprise logs are read from where the index ends. Sessions of other
 * agents are read anew, because only their reader knows what an added line changes.
 */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { loadAgent } from "../../library/registry.ts";
import { stateFiles } from "../../reading/files/state_files.ts";
import type { LogEvent } from "../../event/envelope.ts";
import { SessionError } from "../../event/session_error.ts";
import { isFault, type Report } from "../../log/diagnostic.ts";
import { toSessionError } from "../../log/io_error.ts";
import { readEvents } from "../../log/read_events.ts";
import { distinctGrams, GRAM_BORDER } from "./distinct_grams.ts";
import { foldText } from "../fold.ts";
import {
  indexDirectory,
  lockIndex,
  makeBuildFile,
  makeIndexDirectory,
  removeFile,
  sealBuildFile,
  writeIndexList,
} from "./index_folder.ts";
import { type KnownSession, knownSessions, openSegments } from "./index_state.ts";
import type { Agent, AgentSession } from "../../source/agent.ts";
import { readThreads } from "../../source/read_threads.ts";
import { sessionRef } from "../../source/session_name.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { sizeOf } from "../search_task.ts";
import { searchableTexts, SEARCHED_KINDS } from "../searchable_text.ts";
import type { Segment } from "./segment.ts";
import { SegmentWriter } from "./segment_writer.ts";
import { edgeChecksums, isUnchanged, lastLineEnd, stampFile } from "./source_stamp.ts";

/** Options of {@linkcode updateIndex}. */
export interface UpdateOptions {
  /** Make it anew, whatever is there. */
  fresh?: boolean;
  /** Make it anew where it has become slow to ask. */
  tidy?: boolean;
  /** Gets how much is done, and of how much. */
  onProgress?: (done: number, all: number) => void;
}

/** The result of an update. */
export interface UpdateResult {
  /** `locked`: another process writes the index, and nothing was done. */
  state: "done" | "locked";
  /** Bytes of logs that were read. */
  read_bytes: number;
  /** Sessions that cannot be indexed, and are scanned: damaged, or changing while they are read. */
  passed_over: number;
}

/** A file of the index is written for so many bytes of logs; what is written stays, should it be stopped. */
const ROUND_BYTES = 256e6;
/** A file up to this size is copied and added to; beyond it, a new one begins. */
const LARGEST_COPIED = 4e6;
/** So many files are slow to ask: they are made one anew. */
const MOST_SEGMENTS = 24;

/**
 * Indexes what of some sessions is not yet, in a cache folder.
 *
 * @param cache The cache folder, as `library.cache`.
 * @param sources The sessions.
 * @param options Whether to begin anew, and who gets the progress.
 * @returns What was done.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { updateIndex } from "@reprise/reprise/search";
 *
 * const root = await Deno.makeTempDir();
 * const library = openLibrary({ root, variable: () => undefined });
 * const { state } = await updateIndex(root, await library.sessions());
 * assert.equal(state, "done");
 * await Deno.remove(root, { recursive: true });
 * ```
 *
 * @throws {SessionError} `permission`, `io`, `disk-full`: the index cannot be written.
 */
export async function updateIndex(
  cache: string,
  sessions: readonly AgentSession[],
  { fresh = false, tidy = false, onProgress = () => {} }: UpdateOptions = {},
): Promise<UpdateResult> {
  const directory = indexDirectory(cache);
  makeIndexDirectory(directory);
  using lock = lockIndex(directory);
  if (lock === undefined) return { state: "locked", read_bytes: 0, passed_over: 0 };
  const found = fresh ? undefined : openSegments(cache);
  const slow = tidy && (found?.length ?? 0) > MOST_SEGMENTS;
  const old = found === undefined || found === "damaged" || slow ? [] : found;
  const missing = knownSessions(old, sessions).filter(({ settled }) => !settled);
  const update: Update = {
    directory,
    segments: [...old],
    onProgress,
    done: 0,
    passed_over: 0,
    all: 0,
  };
  for (const { missing_bytes } of missing) update.all += missing_bytes;
  const read_bytes = update.all;
  if (missing.length === 0 && found === old) {
    return { state: "done", read_bytes: 0, passed_over: 0 };
  }
  let replaces = found !== old;
  for (const round of rounds(missing)) {
    await writeRound(update, round, replaces);
    replaces = false;
    const now = openSegments(cache);
    update.segments = now === undefined || now === "damaged" ? [] : [...now];
  }
  return { state: "done", read_bytes, passed_over: update.passed_over };
}

interface Update {
  directory: string;
  segments: Segment[];
  onProgress: (done: number, all: number) => void;
  done: number;
  all: number;
  passed_over: number;
}

/** At least one round, so that an index of nothing is one too. */
function rounds(missing: readonly KnownSession[]): KnownSession[][] {
  const found: KnownSession[][] = [[]];
  let bytes = 0;
  for (const known of missing) {
    if (bytes > ROUND_BYTES) {
      found.push([]);
      bytes = 0;
    }
    found.at(-1)?.push(known);
    bytes += known.missing_bytes;
  }
  return found;
}

/** Writes one file of the index, in place of the last one where that is small. */
async function writeRound(
  update: Update,
  round: readonly KnownSession[],
  replaces: boolean,
): Promise<void> {
  const { directory } = update;
  const kept = replaces ? [] : update.segments;
  const last = kept.at(-1);
  const copied = last !== undefined && last.file.bytes <= LARGEST_COPIED ? last : undefined;
  const path = makeBuildFile(directory);
  try {
    if (copied !== undefined) copyFileSync(join(directory, copied.file.file), path);
    using writer = new SegmentWriter(path);
    for (const known of round) {
      if (!await store(writer, known)) {
        update.passed_over++;
        passOver(writer, known.session);
      }
      update.done += known.missing_bytes;
      update.onProgress(update.done, update.all);
    }
    writer.finish();
    const file = sealBuildFile(directory, path);
    const before = kept.filter((segment) => segment !== copied).map((segment) => segment.file);
    writeIndexList(directory, [...before, file]);
  } catch (error) {
    removeFile(path);
    // What the system or SQLite refuses has a code; all else is a fault of ours.
    if (error instanceof Error && "code" in error) throw toSessionError(error, "write index", path);
    throw error;
  }
}

/** Says of a session that it cannot be indexed as it is. */
function passOver(writer: SegmentWriter, session: AgentSession): void {
  writer.dropEntry();
  const { path } = session;
  const stamps = [stampFile(path)];
  writer.endEntry({ ref: sessionRef(session), path, stamps, from: 0, to: 0, passed_over: true });
}

/** Adds a session to a file of the index; says whether that could be done. */
async function store(writer: SegmentWriter, known: KnownSession): Promise<boolean> {
  try {
    const agent = await loadAgent(known.session.agent);
    const log = agent.log?.(known.session);
    return log === undefined
      ? await storeThreads(writer, agent, known.session)
      : await storeLog(writer, log, known);
  } catch (error) {
    if (error instanceof SessionError) return false;
    throw error;
  }
}

/** A log with a fault is left out: only reading all of it tells what can be salvaged. */
async function storeLog(
  writer: SegmentWriter,
  path: string,
  { session, from = 0 }: KnownSession,
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

/** Adds all threads of a session. */
async function storeThreads(
  writer: SegmentWriter,
  agent: Agent,
  session: AgentSession,
): Promise<boolean> {
  const files = await stateFiles(agent, session);
  if (files === undefined) return false;
  const stamps = files.map(stampFile);
  const threads: string[] = [MAIN_THREAD];
  for await (const { thread, events } of readThreads(agent, session, { needs: SEARCHED_KINDS })) {
    if (threads.at(-1) !== thread) threads.push(thread);
    for (const event of events) addTexts(writer, event, threads.length - 1);
  }
  if (!stamps.every((stamp) => isUnchanged(stamp))) return false;
  const { path } = session;
  const others = threads.length > 1 ? { threads } : {};
  const to = stamps[0]?.size ?? 0;
  writer.endEntry({ ref: sessionRef(session), path, stamps, from: 0, to, ...others });
  return true;
}

function addTexts(writer: SegmentWriter, event: LogEvent, thread = 0): void {
  for (const { role, pieces } of searchableTexts(event)) {
    const { offset = 0, length = 0 } = event.position ?? {};
    const time = Date.parse(event.time ?? "");
    const text = { seq: event.seq, role, time, size: sizeOf(pieces), offset, length, thread };
    // SQLite ends a text at a NUL.
    const folded = foldText(pieces.join(GRAM_BORDER)).replaceAll("\0", GRAM_BORDER);
    writer.add(text, distinctGrams(folded));
  }
}
