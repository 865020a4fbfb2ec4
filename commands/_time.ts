/**
 * Times as people write and read them.
 */
import { localTime } from "../lib/render/local_time.ts";
import type { Context } from "./_context.ts";
import { InvalidArgument } from "./_invalid_argument.ts";

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const DATE = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** A time with its text: a span such as `7d` is another time in each run. */
export type WrittenTime = Date & { written: string };

/** Reads `30m`, `12h`, `7d`, `2w` before now, or a date: its midnight, in the reader's zone. */
export function parseSince(text: string, { now }: Pick<Context, "now">): WrittenTime {
  const time = parseSpan(text, now()) ?? parseDate(text);
  if (time !== undefined && !Number.isNaN(time.getTime())) {
    return Object.assign(time, { written: text });
  }
  throw new InvalidArgument(
    "Give a span such as 30m, 12h, 7d, 2w, or a date such as 2026-11-21.",
  );
}

/** As {@linkcode parseSince}, for what goes by its age: of a time to come, that would be all there is. */
export function parseAge(text: string, context: Context): Date {
  const time = parseSince(text, context);
  if (time <= context.now()) return time;
  throw new InvalidArgument("The time is in the future: every session is older.");
}

function parseSpan(text: string, now: Date): Date | undefined {
  const [, count, unit = ""] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  return count === undefined
    ? undefined
    : new Date(now.getTime() - Number(count) * (UNITS[unit] ?? 0));
}

function parseDate(text: string): Date | undefined {
  const [, day, time] = DATE.exec(text) ?? [];
  // A day that its month does not have would become one of the next month.
  if (day === undefined || !new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)) return undefined;
  // A day alone would be taken for one of UTC.
  return new Date(time === undefined ? `${day}T00:00` : text);
}

/** The reader's locale, as a BCP 47 tag; undefined where none is set. */
function readerLocale({ variable }: Context): string | undefined {
  const name = (variable("LC_ALL") || variable("LC_TIME") || variable("LANG") || "").split(".")[0];
  if (!name || name === "C" || name === "POSIX") return undefined;
  return name.replaceAll("_", "-").split("@")[0];
}

/** Writes times in the reader's locale and zone. */
export function timeFormat(context: Context): (iso: string) => string {
  return localTime(readerLocale(context));
}
