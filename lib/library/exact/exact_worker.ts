/** A thread that reads whole sessions beside the main one. It sends each as soon as it was read. */
import type { AgentSession } from "../../source/agent.ts";
import { type ExactRead, readExact } from "./read_exact.ts";

/** The work of a thread. */
export interface ExactOrder {
  sessions: readonly AgentSession[];
  /** The number of the next session, which all threads count on. */
  next: Int32Array;
}

/** A session that was read; without one, none is left. */
export interface ExactAnswer {
  index?: number;
  read?: ExactRead;
}

/** The part of a worker's global scope that is used. */
interface WorkerScope {
  addEventListener(type: "message", listener: (event: MessageEvent<ExactOrder>) => void): void;
  postMessage(message: ExactAnswer): void;
}

/** Reads sessions until none is left. */
async function follow(scope: WorkerScope, { sessions, next }: ExactOrder): Promise<void> {
  for (;;) {
    const index = Atomics.add(next, 0, 1);
    const session = sessions[index];
    if (session === undefined) return scope.postMessage({});
    scope.postMessage({ index, read: await readExact(session) });
  }
}

const scope = globalThis as unknown as WorkerScope;
scope.addEventListener("message", ({ data }) => void follow(scope, data));
