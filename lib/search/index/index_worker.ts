/** The thread that builds an index file beside the main one. */
import { followOrder } from "../../platform/thread.ts";
import { WorkBoard } from "../work_board.ts";
import { buildSegment, type BuiltSegment, type IndexItem } from "./build_segment.ts";

/** The order to the thread. */
export interface IndexOrder {
  /** The empty file to build in. */
  path: string;
  items: readonly IndexItem[];
  board: SharedArrayBuffer;
  worker: number;
}

followOrder<IndexOrder, BuiltSegment>(async ({ path, items, worker, ...order }, send) => {
  const board = new WorkBoard(order.board);
  send(
    await buildSegment(path, {
      take: () => items[board.take(worker) ?? items.length],
      onDone: (bytes) => board.count(bytes),
    }),
  );
});
