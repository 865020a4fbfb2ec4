/** Searches sessions in a thread beside the main thread. */
import type { Ranked } from "../rank.ts";
import { type SearchRequest, toTask } from "../search_task.ts";
import { followOrder } from "../../../core/platform/thread.ts";
import { WorkBoard } from "../work_board.ts";
import { type ScanItem, scanItems, type ScanResult } from "./scan_sources.ts";

export interface ScanOrder {
  request: SearchRequest;
  items: readonly ScanItem[];
  board: SharedArrayBuffer;
  worker: number;
  floor?: Ranked | undefined;
  /** True to send the result after each session, because the thread may be ended at any time. */
  is_bounded?: boolean;
}

followOrder<ScanOrder, ScanResult>(async ({ request, items, worker, ...order }, send) => {
  const { floor, is_bounded } = order;
  const board = new WorkBoard(order.board);
  send(
    await scanItems(toTask(request), items, {
      take: () => board.take(worker),
      onStop: () => board.close(),
      onDone: (bytes, until_now) => {
        board.count(bytes);
        if (is_bounded) send(until_now);
      },
      floor,
    }),
  );
});
