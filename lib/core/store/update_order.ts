/**
 * The order of lists: by the moment of the last update. Texts of times do not sort: a year beyond
 * 9999 begins with a sign.
 */

/** Returns a time in milliseconds since 1970; without a time, a moment before all others. */
export function updateMoment(time: string | undefined): number {
  return knownMoment(Date.parse(time ?? ""));
}

/** Returns the milliseconds unchanged; for NaN, a moment before all others. */
export function knownMoment(milliseconds: number): number {
  return Number.isNaN(milliseconds) ? -Infinity : milliseconds;
}

/** Compares two moments, so that the newer one is first; 0 if they are equal. */
export function newerFirst(one: number, other: number): number {
  return one === other ? 0 : one < other ? 1 : -1;
}
