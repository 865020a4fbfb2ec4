/** The time that a digest covers. */

export interface Timespan {
  /** Start of the timespan, inclusive. */
  since: Date;
  /** End of the timespan, inclusive. @default {none} */
  until?: Date;
}

export function isWithin({ since, until }: Timespan, milliseconds: number): boolean {
  return milliseconds >= since.getTime() && milliseconds <= (until?.getTime() ?? Infinity);
}
