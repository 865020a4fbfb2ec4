/**
 * Orders lists by the time of the last update. Times are compared as numbers, because a text with a
 * year beyond 9999 begins with a sign.
 */

/** Returns a time in milliseconds since 1970, or -Infinity without a valid time. */
export function updateMoment(time: string | undefined): number {
  return knownMoment(Date.parse(time ?? ""));
}

export function knownMoment(milliseconds: number): number {
  return Number.isNaN(milliseconds) ? -Infinity : milliseconds;
}

export function newerFirst(one: number, other: number): number {
  return one === other ? 0 : one < other ? 1 : -1;
}
