/** Runs requests, some at a time: most of a request is waiting. */

/** Number of requests under way at a time. */
export const AT_ONCE = 16;

/**
 * Yields the results in the order of the items.
 *
 * @param run Asks for one item. @param at_once The most requests on their way.
 */
export async function* inParallel<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
  at_once = AT_ONCE,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  try {
    for (const item of items) {
      const result = run(item);
      // Its failure is thrown in its turn; until then it is no unhandled one.
      result.catch(() => {});
      running.push(result);
      if (running.length < at_once) continue;
      yield await running.shift() as Result;
    }
    while (running.length > 0) yield await running.shift() as Result;
  } finally {
    await Promise.allSettled(running);
  }
}

/** Runs requests, and waits for all of them. */
export async function allInParallel<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
): Promise<void> {
  for await (const _result of inParallel(items, run));
}
