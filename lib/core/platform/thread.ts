/** Starts worker threads. Each receives one order, its task, and sends messages until it ends. */
import { fileURLToPath } from "node:url";
import { runEndTasks } from "./end_tasks.ts";
import { mayRead } from "./process.ts";

const MOST_THREADS = 3;

export function usualThreads(): number {
  return Math.min(MOST_THREADS, Math.max(0, navigator.hardwareConcurrency - 1));
}

/** A message from a thread. If `message` is absent, the thread has ended. */
interface Sent<Message> {
  message?: Message;
}

/**
 * Starts a thread. The promise resolves when the thread has ended or died, or if it cannot run.
 *
 * @param module Path of the thread's module below `lib`, without extension, or the module's URL.
 * @param signal Ends the thread at once, whatever it does.
 */
export function startThread<Order, Message>(
  module: string | URL,
  order: Order,
  onMessage: (message: Message) => void,
  signal?: AbortSignal,
): Promise<void> {
  const address = addressOf(module);
  // Deno itself would print that it may not read the module.
  if (address.protocol === "file:" && !mayRead(fileURLToPath(address))) return Promise.resolve();
  let worker: Worker;
  try {
    worker = new Worker(address, { type: "module" });
  } catch {
    // Without threads, the main one does all the work.
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const end = (): void => {
      signal?.removeEventListener("abort", end);
      worker.terminate();
      resolve();
    };
    worker.addEventListener("message", ({ data }: MessageEvent<Sent<Message>>) => {
      if (data.message === undefined) end();
      else onMessage(data.message);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      end();
    });
    if (signal?.aborted) return end();
    signal?.addEventListener("abort", end);
    worker.postMessage(order);
  });
}

/**
 * Starts a thread and returns its last message, or undefined if it sends none.
 *
 * @param signal Ends the thread at once. The last message until then is returned.
 */
export async function askThread<Order, Answer>(
  module: string | URL,
  order: Order,
  signal?: AbortSignal,
): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  await startThread<Order, Answer>(module, order, (message) => answer = message, signal);
  return answer;
}

/** Returns a module's URL: in the source tree, or in the folder `lib` beside the built program. */
function addressOf(module: string | URL): URL {
  if (module instanceof URL) return module;
  const is_source = import.meta.url.endsWith(".ts");
  return new URL(is_source ? `../../${module}.ts` : `./lib/${module}.js`, import.meta.url);
}

interface ThreadScope<Order, Message> {
  addEventListener(type: "message", listener: (event: MessageEvent<Order>) => void): void;
  postMessage(sent: Sent<Message>): void;
}

/** Calls `follow` with this thread's order. The thread ends when `follow` resolves or rejects. */
export function followOrder<Order, Message>(
  follow: (order: Order, send: (message: Message) => void) => Promise<void>,
): void {
  const scope = globalThis as unknown as ThreadScope<Order, Message>;
  scope.addEventListener("message", ({ data }) => {
    const followed = follow(data, (message) => scope.postMessage({ message }));
    void followed.finally(runEndTasks).then(() => scope.postMessage({}));
  });
}
