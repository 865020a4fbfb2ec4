/** Reads stretches of time as people say them: yesterday, last week, march 2025, 3 days ago. */

/** Names of the days of a week, then of the months, in the order of their numbers. */
const NAMES = ("sunday monday tuesday wednesday thursday friday saturday january february march " +
  "april may june july august september october november december").split(" ");
const WEEK = 7;
const LEAST_LETTERS = 3;

/**
 * Returns the first and last moment that words for a time mean, in the reader's zone; else
 * undefined.
 */
export function spokenStretch(text: string, now: Date): { first: Date; last: Date } | undefined {
  const words = text.trim().toLowerCase().replaceAll(/[\s_-]+/g, " ");
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const between = (first: Date, end: Date): { first: Date; last: Date } => ({
    first,
    last: new Date(end.getTime() - 1),
  });
  const days = (from: number, count = 1): { first: Date; last: Date } =>
    between(new Date(year, month, day + from), new Date(year, month, day + from + count));
  const months = (of_year: number, from: number, count = 1): { first: Date; last: Date } =>
    between(new Date(of_year, from), new Date(of_year, from + count));
  const [, ago] = /^(\d{1,4}) days? ago$/.exec(words) ?? [];
  if (ago !== undefined) return days(-Number(ago));
  if (words === "today" || words === "yesterday") return days(words === "today" ? 0 : -1);
  const [, which, name = "", of_year] = /^(?:(this|last) )?([a-z]+)(?: (\d{4}))?$/.exec(words) ??
    [];
  const back = which === "last" ? 1 : 0;
  if (which !== undefined && name === "week") {
    return days(-(now.getDay() + WEEK - 1) % WEEK - WEEK * back, WEEK);
  }
  if (which !== undefined && name === "month") return months(year, month - back);
  if (which !== undefined && name === "year") return months(year - back, 0, 12);
  const at = NAMES.findIndex((one) => name.length >= LEAST_LETTERS && one.startsWith(name));
  if (at < 0) return undefined;
  if (at < WEEK) return days(-((now.getDay() - at + WEEK) % WEEK || WEEK * back));
  // A month of no year is the last one that has begun.
  const index = at - WEEK;
  return months(of_year === undefined ? year - Number(index > month) : Number(of_year), index);
}
