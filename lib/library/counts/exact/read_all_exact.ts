/** Reads many whole sessions for their counts, on all cores. */
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { startThread, usualThreads } from "../../../core/platform/thread.ts";
import type { ExactAnswer, ExactOrder } from "./exact_worker.ts";
import { type ExactRead, readExact } from "./read_exact.ts";

export interface ReadAllOptions {
  /** Number of threads besides the main one. @default {one for each other core, at most 3} */
  workers?: number | undefined;
  /** The module that worker threads run. @default {the one that comes with the program} */
  worker?: string | URL;
  onRead?: (session: AgentSession) => void;
}

const WORKER = "library/counts/exact/exact_worker";

/**
 * Reads sessions in the given order. Largest sessions should come first, to keep all threads busy.
 */
export async function readAllExact(
  sessions: readonly AgentSession[],
  { workers = usualThreads(), worker = WORKER, onRead = () => {} }: ReadAllOptions = {},
): Promise<Map<AgentSession, ExactRead>> {
  const reads = new Map<AgentSession, ExactRead>();
  const take = (session: AgentSession, read: ExactRead): void => {
    reads.set(session, read);
    onRead(session);
  };
  const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const count = Math.min(workers, sessions.length - 1);
  const threads = Array.from(
    { length: Math.max(0, count) },
    () =>
      startThread<ExactOrder, ExactAnswer>(
        worker,
        { sessions, next },
        ({ index, read }) => take(sessions[index] as AgentSession, read),
      ),
  );
  for (;;) {
    const session = sessions[Atomics.add(next, 0, 1)];
    if (session === undefined) break;
    take(session, await readExact(session));
  }
  await Promise.all(threads);
  // A thread that did not come to its end leaves one.
  for (const session of sessions) {
    if (!reads.has(session)) take(session, await readExact(session));
  }
  return reads;
}
