/**
 * Searches sessions without an index, in their present state. One thread searches bytes faster than
 * other threads start. If many sessions match, all cores share the reading.
 */
import { compareHits, type Ranked, TopHits, type TopHitsOptions } from "../rank.ts";
import { type ScanItem, scanItems, type ScanResult } from "./scan_sources.ts";
import type { ScanOrder } from "./scan_worker.ts";
import { bestHitOf, type SearchHit, type SearchRequest, type SearchTask } from "../search_task.ts";
import { usedCpuTime } from "../../../core/platform/process.ts";
import { askThread, usualThreads } from "../../../core/platform/thread.ts";
import { hasNestedRepeats } from "../nested_repeats.ts";
import { MAIN, WorkBoard } from "../work_board.ts";

/** The threads, time limits and progress of a scan, which searches sessions without an index. */
export interface ScanOptions {
  /**
   * Maximum number of threads besides the main thread.
   *
   * @default {one for each other core, at most 3}
   */
  workers?: number;
  /**
   * CPU milliseconds before threads start. They start only if the remaining scan would take at
   * least as long. Waiting for a disk or processes does not count, because threads would not
   * shorten it.
   *
   * @default {1000}
   */
  patience_ms?: number;
  /** Maximum milliseconds for a regular expression, which may take years. @default {30000} */
  regex_ms?: number;
  /** Called from time to time with the number of bytes that were scanned. */
  onProgress?: (bytes: number) => void;
  /**
   * Ends the search, which then throws the signal's reason. If given, keys and timers are handled
   * during the search and no threads are started.
   */
  signal?: AbortSignal;
}

interface RestOptions extends ScanOptions {
  /** The last hit of a full page from the index; only higher hits are needed. Absent if none. */
  floor?: Ranked | undefined;
}

/** Milliseconds of CPU time before threads start. A thread costs part of that time, and 70 MB. */
const PATIENCE_MS = 1000;
const REGEX_MS = 30_000;
/** Milliseconds between reports of the progress of other threads. */
const REPORT_MS = 100;

/**
 * Scans sessions, those with the best possible hits first, until no other session can have one of
 * the first hits. If all hits are counted, the largest sessions come first.
 *
 * @throws {SyntaxError} If the expression may run too long, and this runtime cannot stop it.
 */
export async function scan(
  task: SearchTask,
  given: readonly ScanItem[],
  options: RestOptions = {},
): Promise<ScanResult> {
  const { patience_ms = PATIENCE_MS, regex_ms = REGEX_MS, onProgress, floor, signal } = options;
  const { workers = signal === undefined ? usualThreads() : 0 } = options;
  const items = task.count_all
    ? given.toSorted((a, b) => b.bytes - a.bytes)
    : newestFirst(task, given);
  if (task.regex && items.length > 0) {
    const bounded = await scanBounded(task, items, options);
    if (bounded !== undefined) return bounded;
    if (task.parsed.terms.some(({ pattern }) => hasNestedRepeats(pattern))) {
      throw new SyntaxError(
        "the expression has nested repeats, such as (a+)+, and might run forever. " +
          "This runtime cannot stop such a search, so simplify the expression",
      );
    }
  }
  const end = task.regex ? performance.now() + regex_ms : Infinity;
  let is_late = false;
  const board = new WorkBoard(items.length);
  const total = items.reduce((sum, { bytes }) => sum + bytes, 0);
  const count = Math.max(0, Math.min(workers, items.length - 1));
  const started = usedCpuTime();
  let done = 0;
  let threads: Promise<ScanResult | undefined>[] | undefined;
  const take = (): number | undefined => {
    const spent = usedCpuTime() - started;
    const left = done === 0 ? Infinity : spent * (total / done - 1);
    if (threads === undefined && spent >= patience_ms && left >= patience_ms) {
      threads = startThreads(count, {
        request: requestOf(task),
        items,
        board: board.memory,
        floor,
      });
    }
    const next = board.take(MAIN);
    is_late = next !== undefined && performance.now() > end;
    return is_late ? undefined : next;
  };
  const onDone = (bytes: number): void => {
    done += bytes;
    board.count(bytes);
    onProgress?.(board.bytes);
  };
  const onStop = (): void => board.close();
  const own = await scanItems(task, items, { take, onStop, onDone, floor, signal });
  const results = [own];
  for (const [index, thread] of (threads ?? []).entries()) {
    results.push(await thread ?? await rescan(task, items, board.takenBy(MAIN + 1 + index)));
  }
  return { ...mergeResults(task, results), is_late };
}

/**
 * Scans only on threads, so that a slow regular expression can be stopped. Node and Bun stop the
 * threads at once. In Deno 2.7.11, a busy thread runs until the process ends. Returns undefined if
 * no threads are available.
 *
 * @throws {SyntaxError} If the expression is too large to be compiled.
 */
async function scanBounded(
  task: SearchTask,
  items: readonly ScanItem[],
  { regex_ms = REGEX_MS, workers = usualThreads(), floor, signal, onProgress }: RestOptions,
): Promise<ScanResult | undefined> {
  const board = new WorkBoard(items.length);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), regex_ms);
  const report = setInterval(() => onProgress?.(board.bytes), REPORT_MS);
  const order = { request: requestOf(task), items, board: board.memory, floor, is_bounded: true };
  const ended = signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]);
  try {
    const count = Math.max(1, Math.min(workers, items.length));
    const answers = await Promise.all(startThreads(count, order, ended));
    signal?.throwIfAborted();
    const results = answers.filter((answer) => answer !== undefined);
    if (results.length === 0 && !late.signal.aborted) return undefined;
    return { ...mergeResults(task, results), is_late: late.signal.aborted };
  } finally {
    clearTimeout(timer);
    clearInterval(report);
  }
}

/** Sorts sessions by the rank of their best possible hit, which is higher for newer sessions. */
function newestFirst(task: SearchTask, items: readonly ScanItem[]): ScanItem[] {
  return items.map((item) => ({ item, best: bestHitOf(task, item) }))
    .sort((a, b) => compareHits(task.sort, a.best, b.best))
    .map(({ item }) => item);
}

/** Returns a task's request without the compiled query, which cannot be sent to a thread. */
function requestOf({ parsed: _, prefilter: __, ...request }: SearchTask): SearchRequest {
  return request;
}

/** Scans the sessions that a failed thread had taken. */
async function rescan(
  task: SearchTask,
  items: readonly ScanItem[],
  taken: number[],
): Promise<ScanResult> {
  return await scanItems(task, items, { take: () => taken.shift() });
}

function startThreads(
  count: number,
  order: Omit<ScanOrder, "worker">,
  signal?: AbortSignal,
): Promise<ScanResult | undefined>[] {
  return Array.from(
    { length: count },
    (_, index) =>
      askThread("library/search/scan/scan_worker", { ...order, worker: MAIN + 1 + index }, signal),
  );
}

export function mergeResults(
  task: TopHitsOptions,
  results: readonly ScanResult[],
): ScanResult {
  const top = new TopHits<SearchHit>(task);
  for (const { hits } of results) for (const hit of hits) top.offer(hit, () => hit);
  return {
    hits: top.hits,
    total: results.reduce((sum, { total }) => sum + total, 0),
    stopped: results.some(({ stopped }) => stopped),
    scanned: results.reduce((sum, { scanned }) => sum + scanned, 0),
    scanned_bytes: results.reduce((sum, { scanned_bytes }) => sum + scanned_bytes, 0),
    unread: results.flatMap(({ unread }) => unread),
    counted: results.flatMap(({ counted }) => counted),
  };
}
