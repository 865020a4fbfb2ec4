/** Threads of tests: other classes of them, and waiting for what they do. */

/** Does some work with threads of another class. */
export async function withThreads(
  Threads: typeof Worker,
  work: () => Promise<void>,
): Promise<void> {
  const Original = globalThis.Worker;
  globalThis.Worker = Threads;
  try {
    await work();
  } finally {
    globalThis.Worker = Original;
  }
}

/** Waits, and lets nobody else of this thread have a turn. */
export function waitUntil(done: () => boolean, most_ms: number): void {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  const end = performance.now() + most_ms;
  while (!done() && performance.now() < end) Atomics.wait(nobody, 0, 0, 2);
}
