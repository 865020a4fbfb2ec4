/** A thread that builds a file of the index beside the main one. */
import { followOrder } from "../../platform/thread.ts";
import { WorkBoard } from "../work_board.ts";
import { buildSegment, type BuiltSegment, type IndexItem } from "./build_segment.ts";

/** What a thread is told. */
export interface IndexOrder {
  /** The file to build, empty. */
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
