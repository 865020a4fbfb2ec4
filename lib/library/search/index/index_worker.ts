/** Runs a thread that builds parts of the index. The main thread stores the parts. */
import { followOrder } from "../../../core/platform/thread.ts";
import { WorkBoard } from "../work_board.ts";
import { buildParts, type IndexItem } from "./build_parts.ts";
import type { BuiltPart } from "./part_builder.ts";

export interface IndexOrder {
  items: readonly IndexItem[];
  board: SharedArrayBuffer;
  worker: number;
}

export type IndexMessage = BuiltPart | "done";

followOrder<IndexOrder, IndexMessage>(async ({ items, worker, ...order }, send) => {
  const board = new WorkBoard(order.board);
  await buildParts({
    take: () => items[board.take(worker) ?? items.length],
    onDone: (bytes) => board.count(bytes),
    onPart: send,
  });
  send("done");
});
