/** Tells days in a time zone. */
import { localDay } from "./local_time.ts";

/** Returns the name of a zone; undefined if there is none of that name. */
export function knownZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    // RangeError: a name that is no zone's.
    return undefined;
  }
}

/** Tells the day of a time, in a zone or where the reader is. */
export function dayIn(zone: string | undefined): (milliseconds: number) => string {
  if (zone === undefined) return (milliseconds) => localDay(new Date(milliseconds));
  // Canada writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return (milliseconds) => format.format(milliseconds);
}
