/**
 * Steps that take values one by one, and give what nothing changes any more. So a conversation is
 * shaped while it is read.
 */

/** One step; it is used once. */
export interface Stage<In, Out> {
  /** Takes a value; gives what is finished. */
  add(value: In): Out[];
  /** Gives what is left. */
  end(): Out[];
  /** Makes a step that goes on from here by itself: neither changes the other. */
  copy(): Stage<In, Out>;
}

/** Gives for each value what `convert` makes of it, which depends on nothing else. */
export function each<In, Out>(convert: (value: In) => Out[]): Stage<In, Out> {
  const stage: Stage<In, Out> = { add: convert, end: () => [], copy: () => stage };
  return stage;
}

/** Passes what one step gives to another. */
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

/** Returns all that a step makes of some values. */
export function runStage<In, Out>(stage: Stage<In, Out>, values: readonly In[]): Out[] {
  return [...values.flatMap((value) => stage.add(value)), ...stage.end()];
}
