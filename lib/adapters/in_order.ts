/** Runs what is asked for one after the other: the calls of an agent do not wait for each other. */

/** Returns functions of which each begins when all calls before it have ended. */
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
