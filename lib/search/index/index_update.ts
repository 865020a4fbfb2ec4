/**
 * Updates an index. Threads build several files in parallel; the main thread alone writes the list.
 */
import { removeQuietly } from "../../file/remove_quietly.ts";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { toSessionError } from "../../log/io_error.ts";
import type { CatalogueOptions } from "../../library/catalogue/catalogue_options.ts";
import { keepReads } from "../../library/keep_counts.ts";
import type { AgentSession } from "../../source/agent.ts";
import { askThread, usualThreads } from "../../platform/thread.ts";
import { MAIN, WorkBoard } from "../work_board.ts";
import { buildSegment, type BuiltSegment, type IndexItem } from "./build_segment.ts";
import {
  indexDirectory,
  lockIndex,
  makeBuildFile,
  makeIndexDirectory,
  sealBuildFile,
  writeIndexList,
} from "./index_folder.ts";
import { knownSessions, openSegments } from "./index_state.ts";
import type { IndexOrder } from "./index_worker.ts";
import type { Segment } from "./segment.ts";

/** Options of {@linkcode updateIndex}. */
export interface UpdateOptions {
  /** True to rebuild the index in any case. */
  fresh?: boolean;
  /** True to rebuild an index of many small files, which is slow. */
  tidy?: boolean;
  /** The catalogue that stores counts, as `library.kept`. @default {none} */
  kept?: CatalogueOptions;
  /** Threads beside the main one. @default {one for each other core, at most 3, for work that is long enough} */
  workers?: number;
  /** Reports progress in bytes. */
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

/** Bytes per thread and round. Finished rounds survive when the update is stopped. */
const ROUND_BYTES = 256e6;
/** Maximum size of a file that is copied and extended; larger ones stay. */
const LARGEST_COPIED = 4e6;
/** Minimum work of a thread, because starting one takes a tenth of a second. */
const THREAD_BYTES = 16e6;
/** Number of files that make searches slow; they are merged by a rebuild. */
const MOST_SEGMENTS = 24;

/**
 * Indexes the missing parts of sessions, in a cache folder.
 *
 * @param cache The cache folder, as `library.cache`.
 * @param sessions The sessions.
 * @param options Rebuilding, threads and progress.
 * @returns The outcome.
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
  options: UpdateOptions = {},
): Promise<UpdateResult> {
  const { fresh = false, tidy = false, kept = {}, workers, onProgress = () => {} } = options;
  const directory = indexDirectory(cache);
  makeIndexDirectory(directory);
  using lock = lockIndex(directory);
  if (lock === undefined) return { state: "locked", read_bytes: 0, passed_over: 0 };
  const found = fresh ? undefined : openSegments(cache);
  const slow = tidy && (found?.length ?? 0) > MOST_SEGMENTS;
  const old = found === undefined || found === "damaged" || slow ? [] : found;
  const missing = knownSessions(old, sessions).filter(({ settled }) => !settled)
    .map(({ session, from, missing_bytes, grown = { from } }) => ({
      session,
      missing_bytes,
      ...grown,
    }));
  const update: Update = {
    kept,
    directory,
    segments: [...old],
    workers: 0,
    onProgress,
    done: 0,
    passed_over: 0,
    all: 0,
  };
  for (const { missing_bytes } of missing) update.all += missing_bytes;
  const read_bytes = update.all;
  update.workers = workers ?? Math.min(usualThreads(), Math.floor(read_bytes / THREAD_BYTES));
  if (missing.length === 0 && found === old) {
    return { state: "done", read_bytes: 0, passed_over: 0 };
  }
  let replaces = found !== old;
  for (const round of rounds(missing, ROUND_BYTES * (1 + update.workers))) {
    await writeRound(update, round, replaces);
    replaces = false;
    const now = openSegments(cache);
    update.segments = now === undefined || now === "damaged" ? [] : [...now];
  }
  return { state: "done", read_bytes, passed_over: update.passed_over };
}

interface Update {
  kept: CatalogueOptions;
  directory: string;
  segments: Segment[];
  workers: number;
  onProgress: (done: number, all: number) => void;
  done: number;
  all: number;
  passed_over: number;
}

/** Splits the work into rounds: at least one, because an empty index is valid. */
function rounds(missing: readonly IndexItem[], round_bytes: number): IndexItem[][] {
  const found: IndexItem[][] = [[]];
  let bytes = 0;
  for (const known of missing) {
    if (bytes > round_bytes) {
      found.push([]);
      bytes = 0;
    }
    found.at(-1)?.push(known);
    bytes += known.missing_bytes;
  }
  return found;
}

/** Writes an index file per thread. The first replaces the last small file. */
async function writeRound(
  update: Update,
  round: readonly IndexItem[],
  replaces: boolean,
): Promise<void> {
  const { directory, workers } = update;
  const kept = replaces ? [] : update.segments;
  const last = kept.at(-1);
  const copied = last !== undefined && last.file.bytes <= LARGEST_COPIED ? last : undefined;
  const paths = Array.from({ length: 1 + workers }, () => makeBuildFile(directory));
  const [path = "", ...others] = paths;
  try {
    if (copied !== undefined) copyFileSync(join(directory, copied.file.file), path);
    const built = await buildFiles(update, round, { path, others });
    const before = kept.filter((segment) => segment !== copied).map((segment) => segment.file);
    writeIndexList(directory, [
      ...before,
      ...built.map((path) => sealBuildFile(directory, path)),
    ]);
  } catch (error) {
    for (const path of paths) removeQuietly(path);
    // Errors of the system or SQLite have a code; others are our bugs.
    if (error instanceof Error && "code" in error) throw toSessionError(error, "write index", path);
    throw error;
  }
}

/** Builds files in parallel. Returns the main thread's file, and the others that are not empty. */
async function buildFiles(
  update: Update,
  items: readonly IndexItem[],
  { path, others }: { path: string; others: readonly string[] },
): Promise<string[]> {
  const board = new WorkBoard(items.length);
  const before = update.done;
  const threads = others.map((other, index) =>
    askThread<IndexOrder, BuiltSegment>("search/index/index_worker", {
      ...{ path: other, items, board: board.memory, worker: MAIN + 1 + index },
    })
  );
  const onDone = (bytes: number): void => {
    board.count(bytes);
    update.done = before + board.bytes;
    update.onProgress(update.done, update.all);
  };
  const built = [
    await buildSegment(path, { take: () => items[board.take(MAIN) ?? items.length], onDone }),
  ];
  for (const [index, other] of others.entries()) {
    built.push(
      await threads[index] ?? await rebuild(other, {
        ...{ items, taken: board.takenBy(MAIN + 1 + index), onDone },
      }),
    );
  }
  for (const { passed_over } of built) update.passed_over += passed_over;
  keepReads(update.kept, built.flatMap(({ counted }) => counted));
  const empty = others.filter((_, index) => board.takenBy(MAIN + 1 + index).length === 0);
  for (const other of empty) removeQuietly(other);
  return [path, ...others.filter((other) => !empty.includes(other))];
}

/** Builds the items of a failed thread. */
async function rebuild(
  path: string,
  { items, taken, onDone }: {
    items: readonly IndexItem[];
    taken: number[];
    onDone(bytes: number): void;
  },
): Promise<BuiltSegment> {
  removeQuietly(path);
  return await buildSegment(path, {
    take: () => items[taken.shift() ?? items.length],
    onDone,
  });
}
