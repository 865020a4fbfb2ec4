/** Makes page bodies that are sent in parts. */
import { pause } from "../../core/platform/pause.ts";

/**
 * Makes a body whose signal aborts when the reader leaves. A waiting generator cannot be ended
 * otherwise.
 */
export function untilClosed(
  make: (signal: AbortSignal) => AsyncIterable<string>,
): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<string> {
      const closed = new AbortController();
      const chunks = make(closed.signal)[Symbol.asyncIterator]();
      return {
        next: () => chunks.next(),
        return: async () => {
          closed.abort();
          return await chunks.return?.() ?? { done: true, value: undefined };
        },
      };
    },
  };
}

const PAUSE_MS = 400;

/** Yields at intervals until some work has ended or failed, so that a page can report progress. */
export async function* whileRunning(work: Promise<unknown>): AsyncGenerator<void> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  work.then(end, end);
  for (;;) {
    await pause(PAUSE_MS, ended.signal);
    if (ended.signal.aborted) return;
    yield;
  }
}
