/**
 * A thread that searches beside the main one: it gets one message, and answers with one.
 */
import { type ScanItem, scanItems, type ScanResult } from "./scan_sources.ts";
import { type SearchRequest, toTask } from "../search_task.ts";
import { WorkBoard } from "./work_board.ts";

/** What a thread is told. */
export interface ScanOrder {
  request: SearchRequest;
  items: readonly ScanItem[];
  board: SharedArrayBuffer;
  worker: number;
}

/** The part of a worker's global scope that is used. */
interface WorkerScope {
  addEventListener(type: "message", listener: (event: MessageEvent<ScanOrder>) => void): void;
  postMessage(message: ScanResult): void;
}

/** Does what it is told, and says what it found. */
async function follow(scope: WorkerScope, order: ScanOrder): Promise<void> {
  const { request, items, worker } = order;
  const board = new WorkBoard(order.board);
  const result = await scanItems(
    toTask(request),
    items,
    () => board.take(worker),
    (bytes) => board.count(bytes),
  );
  scope.postMessage(result);
}

const scope = globalThis as unknown as WorkerScope;
scope.addEventListener("message", ({ data }) => void follow(scope, data));
