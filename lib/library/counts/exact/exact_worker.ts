/**
 * A thread that reads whole sessions beside the main thread. It sends each session's counts as soon
 * as the session was read.
 */
import { followOrder } from "../../../core/platform/thread.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { type ExactRead, readExact } from "./read_exact.ts";

export interface ExactOrder {
  sessions: readonly AgentSession[];
  /** The index of the next session to read, shared and increased by all threads. */
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
