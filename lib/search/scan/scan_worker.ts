/** The thread that searches beside the main one. */
import type { Ranked } from "../rank.ts";
import { type SearchRequest, toTask } from "../search_task.ts";
import { followOrder } from "../../platform/thread.ts";
import { WorkBoard } from "../work_board.ts";
import { type ScanItem, scanItems, type ScanResult } from "./scan_sources.ts";

/** The order to the thread. */
export interface ScanOrder {
  request: SearchRequest;
  items: readonly ScanItem[];
  board: SharedArrayBuffer;
  worker: number;
  floor?: Ranked | undefined;
}

followOrder<ScanOrder, ScanResult>(async ({ request, items, worker, floor, ...order }, send) => {
  const board = new WorkBoard(order.board);
  send(
    await scanItems(toTask(request), items, {
      take: () => board.take(worker),
      onStop: () => board.close(),
      onDone: (bytes) => board.count(bytes),
      floor,
    }),
  );
});
