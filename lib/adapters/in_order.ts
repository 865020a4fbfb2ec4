/** Runs what is asked for one after the other, in the order of the calls. */

/** Runs a piece of work after all that were given before it. */
export type InOrder = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Returns a queue: the calls of an agent do not wait for each other, but a log has one order. */
export function inOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {/* told to who asked for it */});
    return result;
  };
}
