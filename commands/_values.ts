/** Parses the times, numbers and sizes that are given to flags. */
import { bootTime } from "../lib/core/platform/process_state.ts";
import type { Context } from "./_context.ts";
import { spokenStretch } from "./_spoken_time.ts";

/**
 * An invalid value of an option or an argument. The argument parser recognizes the error by `code`,
 * so this file need not load the parser.
 */
export class InvalidArgument extends Error {
  override name = "InvalidArgument";
  readonly code = "commander.invalidArgument";
  readonly exitCode = 1;
}

const SPANS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const DATE = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** A time with the text that the user typed, because `7d` means a different time in each run. */
export type WrittenTime = Date & { written: string };

export const TIMES = "7d, 12h, yesterday, last-week, march, boot (this machine's start), or a date";

/**
 * Parses the start of a period. `7d` means 7 days before now. `yesterday` or a date means its first
 * moment in the local time zone. `boot` means the start of this machine.
 */
export function parseSince(text: string, { now }: Pick<Context, "now">): WrittenTime {
  const boot = text === "boot" ? new Date(bootTime()) : undefined;
  const time = boot ?? parseSpan(text, now()) ?? spokenStretch(text, now())?.first ??
    parseDate(text);
  if (time !== undefined && !Number.isNaN(time.getTime())) {
    return Object.assign(time, { written: text });
  }
  throw new InvalidArgument(
    "Give a length of time such as 30m, 12h, 7d or 2w; a date such as 2026-11-21; or yesterday, " +
      "last-week, march or boot (since this machine started).",
  );
}

/** Parses a period's end as {@linkcode parseSince} does its start. A date means its last moment. */
export function parseUntil(text: string, context: Pick<Context, "now">): WrittenTime {
  const last = spokenStretch(text, context.now())?.last;
  const time = last ? Object.assign(last, { written: text }) : parseSince(text, context);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) time.setHours(23, 59, 59, 999);
  return time;
}

/**
 * Parses an age limit as {@linkcode parseSince} does. Rejects a time in the future, because every
 * session is older than that time.
 */
export function parseAge(text: string, context: Context): Date {
  const time = parseSince(text, context);
  if (time <= context.now()) return time;
  throw new InvalidArgument("The time is in the future, so every session is older.");
}

function parseSpan(text: string, now: Date): Date | undefined {
  const [, count, unit = ""] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  return count === undefined
    ? undefined
    : new Date(now.getTime() - Number(count) * (SPANS[unit] ?? 0));
}

function parseDate(text: string): Date | undefined {
  const [, day, time] = DATE.exec(text) ?? [];
  // An invalid day would become one of the next month.
  if (day === undefined || !new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)) return undefined;
  // A day alone would be read as UTC.
  return new Date(time === undefined ? `${day}T00:00` : text);
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgument("Give a whole number above 0.");
}

const SIZES: Readonly<Record<string, number>> = {
  b: 1,
  k: 1e3,
  kb: 1e3,
  m: 1e6,
  mb: 1e6,
  g: 1e9,
  gb: 1e9,
  t: 1e12,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
};

/**
 * Parses a number of bytes with its unit: `500MB`, `8M`, `1.5 GB`, `512 MiB`. Rejects a number
 * without a unit, because it would be ambiguous.
 */
export function parseSize(text: string): number {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?) ?([a-z]+)$/i.exec(text.trim()) ?? [];
  const bytes = Number(count) * (SIZES[unit.toLowerCase()] ?? NaN);
  if (Number.isSafeInteger(Math.round(bytes))) return Math.round(bytes);
  throw new InvalidArgument("Give a size with its unit, such as 500MB, 1.5GB or 512MiB.");
}
