/** Parses periods of time in words: yesterday, last week, march 2025, 3 days ago. */

/** Names of the days of a week, then of the months, in the order of their numbers. */
const NAMES = ("sunday monday tuesday wednesday thursday friday saturday january february march " +
  "april may june july august september october november december").split(" ");
const WEEK = 7;
const LEAST_LETTERS = 3;

/**
 * Returns the first and last moment of a time in words, such as `last week`, in the local time
 * zone. Undefined for any other text.
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
  const dayOf = (of_year: number, in_month: number, date: number): ReturnType<typeof between> =>
    between(new Date(of_year, in_month, date), new Date(of_year, in_month, date + 1));
  const months = (of_year: number, from: number, count = 1): { first: Date; last: Date } =>
    between(new Date(of_year, from), new Date(of_year, from + count));
  const [, ago = "", unit] = /^(an?|\d{1,4}) (day|week|month)s? ago$/.exec(words) ?? [];
  const count = ago.startsWith("a") ? 1 : Number(ago);
  if (unit === "month") return dayOf(year, month - count, day);
  if (unit !== undefined) return days(-count * (unit === "week" ? WEEK : 1));
  const [, numbered, number] = /^(\d{4}) (0[1-9]|1[0-2])$/.exec(words) ?? [];
  if (number !== undefined) return months(Number(numbered), Number(number) - 1);
  if (words === "today" || words === "yesterday") return days(words === "today" ? 0 : -1);
  const [, which, early, name = "", late, of_year] =
    /^(?:(this|last) |(\d{1,2}) )?([a-z]+)(?: (\d{1,2}))?(?: (\d{4}))?$/.exec(words) ?? [];
  const back = which === "last" ? 1 : 0;
  if (which !== undefined && name === "week") {
    return days(-(now.getDay() + WEEK - 1) % WEEK - WEEK * back, WEEK);
  }
  if (which !== undefined && name === "month") return months(year, month - back);
  if (which !== undefined && name === "year") return months(year - back, 0, 12);
  const at = NAMES.findIndex((one) => name.length >= LEAST_LETTERS && one.startsWith(name));
  if (at < 0) return undefined;
  const date = early ?? late;
  if (date !== undefined) {
    const index = at - WEEK;
    const begun = new Date(year, index, Number(date)) <= now ? year : year - 1;
    const in_year = Number(of_year ?? begun);
    // No day of a week has a number, and no month has a 32nd day.
    const is_real = new Date(in_year, index, Number(date)).getMonth() === index;
    return is_real ? dayOf(in_year, index, Number(date)) : undefined;
  }
  if (at < WEEK) return days(-((now.getDay() - at + WEEK) % WEEK || WEEK * back));
  // A month of no year is the last one that has begun.
  const index = at - WEEK;
  return months(of_year === undefined ? year - Number(index > month) : Number(of_year), index);
}
