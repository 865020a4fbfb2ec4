/**
 * Searches sessions without an index: what a scan finds is what is there. One thread searches bytes
 * faster than others start. If many sessions match, all cores share the reading.
 */
import { TopHits } from "../rank.ts";
import { type ScanItem, scanItems, type ScanResult } from "./scan_sources.ts";
import type { ScanOrder } from "./scan_worker.ts";
import type { SearchHit, SearchRequest, SearchTask } from "../search_task.ts";
import { WorkBoard } from "./work_board.ts";

/** Options of {@linkcode scan}. */
export interface ScanOptions {
  /** Threads beside the main one, at most. @default {one for each other core, at most 3} */
  workers?: number;
  /** Milliseconds before threads start, unless no more than as many are left. @default {500} */
  patience_ms?: number;
  /** Gets how many bytes are done, now and then. */
  onProgress?: (bytes: number) => void;
  /**
   * Ends the search, which then throws the signal's reason. With it, keys and timers have their turn
   * while files are read, and no threads are started.
   */
  signal?: AbortSignal;
}

/** Several times what a thread takes to start. */
const PATIENCE_MS = 500;
const MOST_WORKERS = 3;
/** The name of the main thread on the board. */
const MAIN = 1;

/** Scans sessions; the largest first, so that no thread has one left when all others are done. */
export async function scan(
  task: SearchTask,
  given: readonly ScanItem[],
  options: ScanOptions = {},
): Promise<ScanResult> {
  const { patience_ms = PATIENCE_MS, onProgress, signal } = options;
  const { workers = signal === undefined ? defaultWorkers() : 0 } = options;
  const items = [...given].sort((a, b) => b.bytes - a.bytes);
  const board = new WorkBoard(items.length);
  const total = items.reduce((sum, { bytes }) => sum + bytes, 0);
  const count = Math.max(0, Math.min(workers, items.length - 1));
  const started = performance.now();
  let done = 0;
  let threads: Promise<ScanResult | undefined>[] | undefined;
  const take = (): number | undefined => {
    const spent = performance.now() - started;
    const left = done === 0 ? Infinity : spent * (total / done - 1);
    if (threads === undefined && spent >= patience_ms && left >= patience_ms) {
      threads = startThreads(count, { request: requestOf(task), items, board: board.memory });
    }
    return board.take(MAIN);
  };
  const own = await scanItems(task, items, take, (bytes) => {
    done += bytes;
    board.count(bytes);
    onProgress?.(board.bytes);
  }, signal);
  const results = [own];
  for (const [index, thread] of (threads ?? []).entries()) {
    results.push(await thread ?? await rescan(task, items, board.takenBy(MAIN + 1 + index)));
  }
  return mergeResults(task, results);
}

function defaultWorkers(): number {
  return Math.min(MOST_WORKERS, Math.max(0, navigator.hardwareConcurrency - 1));
}

/** What can be sent: not the compiled query. */
function requestOf({ parsed: _, prefilter: __, ...request }: SearchTask): SearchRequest {
  return request;
}

/** What a thread took that did not come to its end. */
async function rescan(
  task: SearchTask,
  items: readonly ScanItem[],
  taken: number[],
): Promise<ScanResult> {
  return await scanItems(task, items, () => taken.shift());
}

/** Where the thread's module lies: beside this file, or where `.ci/compile` puts it, below the bundle. */
function workerUrl(): URL {
  const path = import.meta.url.endsWith(".ts")
    ? "./scan_worker.ts"
    : "./lib/search/scan/scan_worker.js";
  return new URL(path, import.meta.url);
}

/** Starts threads beside the main one. */
function startThreads(
  count: number,
  order: Omit<ScanOrder, "worker">,
): Promise<ScanResult | undefined>[] {
  return Array.from(
    { length: count },
    (_, index) => startThread({ ...order, worker: MAIN + 1 + index }),
  );
}

/** Starts a thread; its result, or undefined where it cannot run. */
function startThread(order: ScanOrder): Promise<ScanResult | undefined> {
  let worker: Worker;
  try {
    worker = new Worker(workerUrl(), { type: "module" });
  } catch {
    // No threads, or no permission to read its module: the main one does it all.
    return Promise.resolve(undefined);
  }
  return new Promise((resolve) => {
    const end = (result: ScanResult | undefined): void => {
      worker.terminate();
      resolve(result);
    };
    worker.addEventListener("message", ({ data }) => end(data as ScanResult));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      end(undefined);
    });
    worker.postMessage(order);
  });
}

/** The first hits of several results, and all that is counted in them. */
export function mergeResults(
  { sort, limit }: Pick<SearchTask, "sort" | "limit">,
  results: readonly ScanResult[],
): ScanResult {
  const top = new TopHits<SearchHit>(sort, limit);
  for (const { hits } of results) for (const hit of hits) top.offer(hit, () => hit);
  return {
    hits: top.hits,
    total: results.reduce((sum, { total }) => sum + total, 0),
    unread: results.flatMap(({ unread }) => unread),
  };
}
