/** Bodies of pages that come bit by bit. */

/**
 * Makes a body that learns when its reader leaves. A generator alone cannot be ended while it waits,
 * so it gets a signal.
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
