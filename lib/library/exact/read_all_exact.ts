/** Reads many whole sessions for their counts, on all cores. */
import type { AgentSession } from "../../source/agent.ts";
import type { ExactAnswer, ExactOrder } from "./exact_worker.ts";
import { type ExactRead, readExact } from "./read_exact.ts";

/** Options of {@linkcode readAllExact}. */
export interface ReadAllOptions {
  /** Threads beside the main one. @default {one for each other core, at most 3} */
  workers?: number;
  /** Their module. @default {the one that comes with the program} */
  worker?: URL;
  /** Called after each session. */
  onRead?: (session: AgentSession) => void;
}

const MOST_WORKERS = 3;

/** Reads sessions in their order. Give the largest first: then no thread has one left at the end. */
export async function readAllExact(
  sessions: readonly AgentSession[],
  { workers = usualWorkers(), worker = workerUrl(), onRead = () => {} }: ReadAllOptions = {},
): Promise<Map<AgentSession, ExactRead>> {
  const reads = new Map<AgentSession, ExactRead>();
  const take = (session: AgentSession, read: ExactRead): void => {
    reads.set(session, read);
    onRead(session);
  };
  const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const count = Math.min(workers, sessions.length - 1);
  const threads = Array.from({ length: Math.max(0, count) }, () =>
    startThread(
      worker,
      { sessions, next },
      (index, read) => take(sessions[index] as AgentSession, read),
    ));
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

function usualWorkers(): number {
  return Math.min(MOST_WORKERS, Math.max(0, navigator.hardwareConcurrency - 1));
}

/** Where the thread's module lies: beside this file, or below the bundle. */
function workerUrl(): URL {
  const path = import.meta.url.endsWith(".ts")
    ? "./exact_worker.ts"
    : "./lib/library/exact/exact_worker.js";
  return new URL(path, import.meta.url);
}

/** Starts a thread; resolves when it has ended, or cannot run. */
function startThread(
  url: URL,
  order: ExactOrder,
  onRead: (index: number, read: ExactRead) => void,
): Promise<void> {
  let worker: Worker;
  try {
    worker = new Worker(url, { type: "module" });
  } catch {
    // No threads, or no permission to read its module: the main one does it all.
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const end = (): void => {
      worker.terminate();
      resolve();
    };
    worker.addEventListener("message", ({ data }: MessageEvent<ExactAnswer>) => {
      const { index, read } = data;
      if (index === undefined || read === undefined) return end();
      onRead(index, read);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      end();
    });
    worker.postMessage(order);
  });
}
