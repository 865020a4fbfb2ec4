/**
 * Measuring in turns: A B C A B C …, so that a machine that is busy for a while is so for all.
 */

/** The middle of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = NaN, high = NaN] = [
    sorted[sorted.length % 2 === 0 ? middle - 1 : middle],
    sorted[middle],
  ];
  return (low + high) / 2;
}

/** The median of what `one` takes in terms of `other`, round by round. */
export function medianRatio(one: readonly number[], other: readonly number[]): number {
  return median(one.map((value, round) => value / (other[round] ?? NaN)));
}

/** Takes each measurement once a round. */
export async function inTurns<Name extends string, Result>(
  names: readonly Name[],
  rounds: number,
  measure: (name: Name) => Promise<Result>,
): Promise<Record<Name, Result[]>> {
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    Result[]
  >;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) results[name].push(await measure(name));
  }
  return results;
}
