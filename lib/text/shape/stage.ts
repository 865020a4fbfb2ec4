/**
 * Conversion steps that take values one by one, and return results once they are final. So a
 * conversation is shaped while it is read.
 */

/** A step that converts the values of one conversation, one after the other. */
export interface Stage<In, Out> {
  /** Takes a value, and returns the results that are final now. */
  add(value: In): Out[];
  /** Returns the remaining results. */
  end(): Out[];
  /** Returns a copy with the values taken so far. Later values change only one of the two steps. */
  copy(): Stage<In, Out>;
}

/** Makes a step that converts each value independently. */
export function each<In, Out>(convert: (value: In) => Out[]): Stage<In, Out> {
  const stage: Stage<In, Out> = { add: convert, end: () => [], copy: () => stage };
  return stage;
}

export function chained<In, Between, Out>(
  first: Stage<In, Between>,
  second: Stage<Between, Out>,
): Stage<In, Out> {
  const pass = (value: Between): Out[] => second.add(value);
  return {
    add: (value) => first.add(value).flatMap(pass),
    end: () => [...first.end().flatMap(pass), ...second.end()],
    copy: () => chained(first.copy(), second.copy()),
  };
}

export function runStage<In, Out>(stage: Stage<In, Out>, values: readonly In[]): Out[] {
  return [...values.flatMap((value) => stage.add(value)), ...stage.end()];
}
