/** A thread that builds a file of the index beside the main one. */
import { answerOrder } from "../thread.ts";
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

answerOrder(async ({ path, items, worker, ...order }: IndexOrder): Promise<BuiltSegment> => {
  const board = new WorkBoard(order.board);
  return await buildSegment(path, {
    take: () => items[board.take(worker) ?? items.length],
    onDone: (bytes) => board.count(bytes),
  });
});
