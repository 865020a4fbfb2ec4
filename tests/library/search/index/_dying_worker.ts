/** A thread that takes a session to index, and dies. */
import type { IndexOrder } from "../../../../lib/library/search/index/index_worker.ts";
import { WorkBoard } from "../../../../lib/library/search/work_board.ts";

globalThis.addEventListener("message", (event) => {
  const { board, worker } = (event as MessageEvent<IndexOrder>).data;
  new WorkBoard(board).take(worker);
  throw new Error("The thread dies");
});
