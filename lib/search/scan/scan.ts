/**
 * Searches sessions without an index, on all cores. What a scan finds is what is there.
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
  /** Fewer bytes are searched by the main thread alone. @default {32000000} */
  least_bytes?: number;
  /** Gets how many bytes are done, now and then. */
  onProgress?: (bytes: number) => void;
}

/** Less is done sooner than a thread has started. */
const LEAST_BYTES = 32e6;
const MOST_WORKERS = 3;
/** The name of the main thread on the board. */
const MAIN = 1;

/** Scans sessions; the largest first, so that no thread has one left when all others are done. */
export async function scan(
  task: SearchTask,
  given: readonly ScanItem[],
  { workers = defaultWorkers(), least_bytes = LEAST_BYTES, onProgress }: ScanOptions = {},
): Promise<ScanResult> {
  const items = [...given].sort((a, b) => b.bytes - a.bytes);
  const board = new WorkBoard(items.length);
  const total = items.reduce((sum, { bytes }) => sum + bytes, 0);
  const count = total < least_bytes ? 0 : Math.max(0, Math.min(workers, items.length - 1));
  const threads = Array.from(
    { length: count },
    (_, index) =>
      startThread({
        request: requestOf(task),
        items,
        board: board.memory,
        worker: MAIN + 1 + index,
      }),
  );
  const own = await scanItems(task, items, () => board.take(MAIN), (bytes) => {
    board.count(bytes);
    onProgress?.(board.bytes);
  });
  const results = [own];
  for (const [index, thread] of threads.entries()) {
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
