/** Converts the times that agents record to ISO 8601 in UTC with milliseconds. */

/** Smallest number read as milliseconds since 1970 (in 1973). Smaller numbers are seconds. */
const SMALLEST_MILLISECONDS = 1e11;
/** UTC times with dashes for colons, as in some file names: `2026-08-01T10-00-00`. */
const DASHED = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)(?:[.-](\d{1,3}))?Z?$/;

/** Matches ISO 8601 times to keep as they are. `Date` checks days 29 to 31, which may not exist. */
const ISO =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/**
 * Returns a time in ISO 8601, from ISO text or from seconds or milliseconds since 1970. Undefined
 * for other values.
 */
export function isoTime(value: unknown): string | undefined {
  // Nearly all are written so: no date is made of them.
  if (typeof value === "string" && value.length === 24 && ISO.test(value)) return value;
  const date = toDate(value);
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : formatted(date);
}

function toDate(value: unknown): Date | undefined {
  if (typeof value === "number") {
    return new Date(Math.abs(value) < SMALLEST_MILLISECONDS ? value * 1000 : value);
  }
  if (typeof value !== "string" || value === "") return undefined;
  return new Date(value.replace(DASHED, colons));
}

function colons(_: string, hours: string, minutes: string, seconds: string, ms = "0"): string {
  return `${hours}:${minutes}:${seconds}.${ms.padEnd(3, "0")}Z`;
}

/** Returns a date in ISO 8601. Undefined for a faulty year with more than four digits. */
function formatted(date: Date): string | undefined {
  const text = date.toISOString();
  return text.length === 24 ? text : undefined;
}
