/** The time that a digest covers. */

/** The two ends of what a digest covers. */
export interface Timespan {
  /** The start. */
  since: Date;
  /** The end, inclusive. @default {none} */
  until?: Date;
}

/** True for a time in milliseconds since 1970 that lies in the timespan. */
export function isWithin({ since, until }: Timespan, milliseconds: number): boolean {
  return milliseconds >= since.getTime() && milliseconds <= (until?.getTime() ?? Infinity);
}
