/**
 * Updates the index. Threads build parts of the index. The main thread builds parts, too, and is
 * the only writer.
 */
import type { CatalogueOptions } from "../../catalogue/catalogue_options.ts";
import { removeDatabase } from "../../catalogue/cache/cache_database.ts";
import { indexPath } from "../../catalogue/cache/search_database.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { keepReads } from "../../counts/keep_counts.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { startThread, usualThreads } from "../../../core/platform/thread.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { MAIN, WorkBoard } from "../work_board.ts";
import { buildParts, type IndexItem } from "./build_parts.ts";
import { UnusableIndex } from "./index_reader.ts";
import { FLAGS, hasFlag } from "./index_source.ts";
import { knownSessions, unknownSession } from "./index_state.ts";
import type { IndexMessage, IndexOrder } from "./index_worker.ts";
import { IndexWriter, isLocked } from "./index_writer.ts";
import type { BuiltPart } from "./part_builder.ts";

/** Settings of {@linkcode updateIndex}: rebuilding, stored counts, threads and progress. */
export interface UpdateOptions {
  /** True to rebuild the index even if the present index is usable. */
  fresh?: boolean;
  /** True to check the whole index first, and to rebuild a damaged or half outdated index. */
  tidy?: boolean;
  /** The catalogue in which to store counts of sessions, as `library.kept`. @default {none} */
  kept?: CatalogueOptions;
  /** Threads besides the main thread. @default {one for each other core, at most 3, for work that is long enough} */
  workers?: number;
  /** Called with the bytes that were read so far and in total. */
  onProgress?: (done: number, all: number) => void;
}

/** The outcome of {@linkcode updateIndex}, with the bytes read and the sessions left out. */
export interface UpdateResult {
  /** The outcome; `locked` if another process writes the index, so that nothing was done. */
  state: "done" | "locked";
  /** Number of bytes of sessions that were read. */
  read_bytes: number;
  /** Number of sessions to scan, because they are damaged or changed while they were read. */
  passed_over: number;
}

/** Minimum number of bytes for a thread, because its start takes a tenth of a second. */
const THREAD_BYTES = 16e6;

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
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { updateIndex } from "@reprise/reprise/search";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const library = openLibrary({ root, variable: () => undefined });
 * const { state } = await updateIndex(root, await library.sessions());
 * assert.equal(state, "done");
 * await rm(root, { recursive: true });
 * ```
 *
 * @throws {SessionError} `permission`, `io`, `disk-full`: the index cannot be written.
 */
export async function updateIndex(
  cache: string,
  sessions: readonly AgentSession[],
  options: UpdateOptions = {},
): Promise<UpdateResult> {
  const path = indexPath(cache);
  try {
    return await update(cache, sessions, options).catch(async (error) => {
      if (!(error instanceof UnusableIndex)) throw error;
      removeDatabase(path);
      return await update(cache, sessions, options);
    });
  } catch (error) {
    if (isLocked(error)) return LOCKED;
    // Errors of the system or SQLite have a code; others are our bugs.
    const is_system = error instanceof Error && "code" in error;
    throw is_system ? toSessionError(error, "write index", path) : error;
  }
}

const LOCKED: UpdateResult = { state: "locked", read_bytes: 0, passed_over: 0 };

async function update(
  cache: string,
  sessions: readonly AgentSession[],
  { fresh = false, tidy = false, kept = {}, workers, onProgress = () => {} }: UpdateOptions,
): Promise<UpdateResult> {
  using writer = IndexWriter.open(cache, tidy && !fresh);
  if (writer === undefined) {
    throw new SessionError("io", "Cannot write index: this runtime has no SQLite");
  }
  const is_fresh = fresh || tidy && writer.is_outdated;
  if (is_fresh) writer.clear();
  const known = is_fresh ? sessions.map(unknownSession) : knownSessions(writer.reader(), sessions);
  const items = known.filter(({ settled }) => !settled)
    .map(({ session, from, missing_bytes, grown = { from } }) => ({
      session,
      missing_bytes,
      ...grown,
    }));
  const all = items.reduce((sum, { missing_bytes }) => sum + missing_bytes, 0);
  let passed_over = 0;
  const onPart = (part: BuiltPart, builder: number): void => {
    writer.put(part, builder);
    passed_over += part.sources.filter((source) => hasFlag(source, FLAGS.PASSED_OVER)).length;
    keepReads(kept, part.counted);
  };
  await build(items, {
    onPart,
    workers: workers ?? Math.min(usualThreads(), Math.floor(all / THREAD_BYTES)),
    onDone: (bytes) => onProgress(bytes, all),
  });
  writer.finish();
  return { state: "done", read_bytes: all, passed_over };
}

interface BuildOptions {
  workers: number;
  onDone(bytes: number): void;
  /** Stores a part. `builder` is the number of the builder that made the part, from 0. */
  onPart(part: BuiltPart, builder: number): void;
}

async function build(
  items: readonly IndexItem[],
  { workers, onDone, onPart }: BuildOptions,
): Promise<void> {
  const board = new WorkBoard(items.length);
  const counted = (bytes: number): void => {
    board.count(bytes);
    onDone(board.bytes);
  };
  const threads = Array.from({ length: workers }, async (_, index) => {
    const worker = MAIN + 1 + index;
    const order: IndexOrder = { items, board: board.memory, worker };
    let [is_done, failure] = [false, undefined as unknown];
    await startThread<IndexOrder, IndexMessage>(
      "library/search/index/index_worker",
      order,
      (message) => {
        if (message === "done") is_done = true;
        if (message === "done" || failure !== undefined) return;
        try {
          onPart(message, worker);
        } catch (error) {
          failure = error;
          board.close();
        }
      },
    );
    if (failure !== undefined) throw failure;
    return is_done ? [] : board.takenBy(worker);
  });
  const settled = Promise.allSettled(threads);
  const build = (take: () => IndexItem | undefined, builder: number): Promise<void> =>
    buildParts({ take, onDone: counted, onPart: (part) => onPart(part, builder) });
  try {
    await build(() => items[board.take(MAIN) ?? items.length], MAIN);
  } finally {
    board.close();
    await settled;
  }
  // What a thread took that died.
  const left = (await Promise.all(threads)).flat();
  if (left.length > 0) await build(() => items[left.shift() ?? items.length], 0);
}
