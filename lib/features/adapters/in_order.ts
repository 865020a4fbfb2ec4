/** Queues an SDK's calls, because agents do not wait between calls. */

/** Returns functions that wait for each other, so that they run in the order of their calls. */
export function inOrder<Functions extends object>(functions: Functions): Functions {
  let last: Promise<unknown> = Promise.resolve();
  const queued = (work: (...values: unknown[]) => unknown) => (...values: unknown[]) => {
    const result = last.then(() => work(...values));
    last = result.catch(() => {/* told to who asked for it */});
    return result;
  };
  const names = Reflect.ownKeys(functions) as (keyof Functions)[];
  const pairs = names.map((name) => [name, queued(functions[name] as () => unknown)]);
  return Object.fromEntries(pairs);
}
