/**
 * The value that so many of many come up to. Pure.
 */

/** Beyond so many, sorting all is as fast. */
const MOST_KEPT = 256;

/** The value at place `count` of `values`, the largest being the first; `-Infinity` where there are fewer. */
export function nthLargest(values: Float64Array, count: number): number {
  if (count > MOST_KEPT) return values.slice().sort()[values.length - count] ?? -Infinity;
  const kept = new Float64Array(count).fill(-Infinity);
  let least = 0;
  for (const value of values) {
    if (value <= (kept[least] as number)) continue;
    kept[least] = value;
    for (let index = 0; index < count; index++) {
      if ((kept[index] as number) < (kept[least] as number)) least = index;
    }
  }
  return kept[least] ?? -Infinity;
}
