/** A thread that reads whole sessions beside the main one. It sends each as soon as it was read. */
import { followOrder } from "../../../core/platform/thread.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { type ExactRead, readExact } from "./read_exact.ts";

/** The work of a thread. */
export interface ExactOrder {
  sessions: readonly AgentSession[];
  /** The number of the next session; all threads count it up. */
  next: Int32Array;
}

export interface ExactAnswer {
  index: number;
  read: ExactRead;
}

followOrder<ExactOrder, ExactAnswer>(async ({ sessions, next }, send) => {
  for (;;) {
    const index = Atomics.add(next, 0, 1);
    const session = sessions[index];
    if (session === undefined) return;
    send({ index, read: await readExact(session) });
  }
});
