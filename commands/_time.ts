/**
 * Times as people write and read them.
 */
import { InvalidArgumentError } from "npm:@commander-js/extra-typings@15.1.0";

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Reads `30m`, `12h`, `7d`, `2w` before now, or a date. */
export function parseSince(text: string, now: Date): Date {
  const ago = /^(\d+)([mhdw])$/.exec(text);
  if (ago !== null) return new Date(now.getTime() - Number(ago[1]) * (UNITS[ago[2] ?? ""] ?? 0));
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  throw new InvalidArgumentError(
    "Give a span such as 30m, 12h, 7d, 2w, or a date such as 2026-11-21.",
  );
}

/** Writes times in the reader's locale and zone. */
export function timeFormat(): (iso: string) => string {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  return (iso) => format.format(new Date(iso));
}
