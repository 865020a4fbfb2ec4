/**
 * Conversion steps that take values one by one, and return each result once it is final. A
 * conversation can thus be converted while it is read.
 */

/** A conversion step. Each conversation needs its own step, because a step may hold state. */
export interface Stage<In, Out> {
  /** Takes a value, and returns the results that are final now. */
  add(value: In): Out[];
  end(): Out[];
  /** Returns a copy with the present state. Later `add` calls on one do not change the other. */
  copy(): Stage<In, Out>;
}

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
