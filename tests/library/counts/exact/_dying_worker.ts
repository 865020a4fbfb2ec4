/** A thread that takes a session to read, and dies. */
import type { ExactOrder } from "../../../../lib/library/counts/exact/exact_worker.ts";

globalThis.addEventListener("message", (event) => {
  const { next } = (event as MessageEvent<ExactOrder>).data;
  Atomics.add(next, 0, 1);
  throw new Error("A thread died");
});
