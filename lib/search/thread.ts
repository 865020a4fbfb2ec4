/** Threads beside the main one: each gets one message, and answers with one. */

const MOST_WORKERS = 3;

/** Number of threads that are worth it: one for each other core, up to a few. */
export function usualWorkers(): number {
  return Math.min(MOST_WORKERS, Math.max(0, navigator.hardwareConcurrency - 1));
}

/**
 * Starts a thread.
 *
 * @param module Path of its module below the program, as `.ci/compile` lays it.
 * @returns Its answer, or undefined where it cannot run.
 */
export function startThread<Order, Answer>(
  module: "scan/scan_worker" | "index/index_worker",
  order: Order,
): Promise<Answer | undefined> {
  let worker: Worker;
  try {
    worker = new Worker(addressOf(module), { type: "module" });
  } catch {
    // No threads, or no permission to read its module: the main one does it all.
    return Promise.resolve(undefined);
  }
  return new Promise((resolve) => {
    const end = (answer: Answer | undefined): void => {
      worker.terminate();
      resolve(answer);
    };
    worker.addEventListener("message", ({ data }) => end(data as Answer));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      end(undefined);
    });
    worker.postMessage(order);
  });
}

function addressOf(module: string): URL {
  const is_source = import.meta.url.endsWith(".ts");
  return new URL(is_source ? `./${module}.ts` : `./lib/search/${module}.js`, import.meta.url);
}

/** The part of a worker's global scope that is used. */
interface WorkerScope {
  addEventListener(type: "message", listener: (event: MessageEvent<unknown>) => void): void;
  postMessage(message: unknown): void;
}

/** Answers the order that a thread gets. A failure ends the thread. */
export function answerOrder<Order, Answer>(answer: (order: Order) => Promise<Answer>): void {
  const scope = globalThis as unknown as WorkerScope;
  scope.addEventListener("message", ({ data }) => {
    void answer(data as Order).then((message) => scope.postMessage(message));
  });
}
