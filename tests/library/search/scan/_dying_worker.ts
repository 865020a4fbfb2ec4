/** A thread that takes a session to search, and dies. */
import type { ScanOrder } from "../../../../lib/library/search/scan/scan_worker.ts";
import { WorkBoard } from "../../../../lib/library/search/work_board.ts";

globalThis.addEventListener("message", (event) => {
  const { board, worker } = (event as MessageEvent<ScanOrder>).data;
  new WorkBoard(board).take(worker);
  throw new Error("The thread dies");
});
