/** Runs several requests at a time, because a request spends most of its time waiting. */

export const AT_ONCE = 16;

/**
 * Yields the results in the order of the items.
 *
 * @param at_once Maximum of concurrent requests.
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

export async function allInParallel<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
): Promise<void> {
  for await (const _result of inParallel(items, run));
}
