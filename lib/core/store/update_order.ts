/**
 * The order of lists: by the moment of the last update. Texts of times do not sort: a year beyond
 * 9999 begins with a sign.
 */

/** Returns the milliseconds of a time; of none, a moment before all others. */
export function updateMoment(time: string | undefined): number {
  return knownMoment(Date.parse(time ?? ""));
}

/** Returns the milliseconds as they are; where they are not a number, a moment before all others. */
export function knownMoment(milliseconds: number): number {
  return Number.isNaN(milliseconds) ? -Infinity : milliseconds;
}

/** Compares two moments, the newer one first; 0 where they are the same. */
export function newerFirst(one: number, other: number): number {
  return one === other ? 0 : one < other ? 1 : -1;
}
