/** Adds up the usage in a window of time, and in the window before it, for the statistics. */
import { loadPrices } from "../../../library/counts/usage/load_prices.ts";
import { usageOf } from "../../../library/query/usage_of.ts";
import type { SessionEntry } from "../../../library/query/query.ts";
import { ofModel, wordsIn } from "../../../core/store/session_words.ts";
import {
  type SessionUsage,
  type UsageTotal,
  UsageTotals,
} from "../../../core/projection/usage_totals.ts";
import { daysBefore } from "../../../core/projection/days_before.ts";
import { countedTokens } from "../../../core/projection/token_usage.ts";
import { leftOutUndated } from "../../../text/render/undated.ts";
import { isDay, type ListFilter, SPANS } from "../list/filter.ts";
import { ofProject, type ScopeCounts, scopeCounts } from "../list/found_sessions.ts";
import type { SiteContext } from "../site_context.ts";

const DAY_MS = 86_400_000;
/** Index of the character between the day and the hour of a row. */
const HOUR_AT = "2026-11-21".length;

export interface WindowUsage {
  /** The usage of sessions, by day. */
  used: readonly SessionUsage[];
  /** The window's first day. Empty if the window has no beginning. */
  from: string;
  /** The axis's first day: `from`, or the first day with usage if `from` is empty. */
  first: string;
  last: string;
  total: UsageTotal;
  /** Total of the preceding window of equal length. Undefined if this window has no beginning. */
  before: UsageTotal | undefined;
  /** First and last day of the preceding window. Empty if this window has no beginning. */
  before_days: readonly [string, string];
  /** Number of tokens by `24 * weekday + hour`. Monday is weekday 0. */
  hours: readonly number[];
  /** The last day with usage, even outside the window. Empty if there is none. */
  last_used: string;
  /** The day on which the prices were current. */
  as_of: string;
  counts: ScopeCounts;
  unread: readonly string[];
}

/** The days of a window. `from` and `before` are empty if the window has no beginning. */
interface WindowDays {
  from: string;
  last: string;
  before: readonly [string, string];
  /** Number of days in the window. Undefined if the window has no beginning. */
  count: number | undefined;
}

/** Returns the days of the window that a filter names: a span that ends today, or two dates. */
export function windowDays(filter: ListFilter, site: SiteContext): WindowDays {
  const { span = "", until } = filter;
  const today = site.day_of(site.now().getTime());
  const days = SPANS[span]?.days;
  const last = days === undefined ? until ?? today : today;
  const from = days === undefined ? isDay(span) ? span : "" : daysBefore(last, days - 1);
  if (from === "" || from > last) return { from: "", last, before: ["", ""], count: undefined };
  const count = Math.round((Date.parse(last) - Date.parse(from)) / DAY_MS) + 1;
  return { from, last, before: [daysBefore(from, count), daysBefore(from, 1)], count };
}

export async function windowUsage(
  site: SiteContext,
  filter: ListFilter & { hour?: number },
  onProgress?: (done: number, all: number) => void,
): Promise<WindowUsage> {
  const unread = new Set<string>();
  const { from, last, before: before_days, count } = windowDays(filter, site);
  const onError = ({ message }: Error): unknown => unread.add(message);
  const { entries } = await site.library.query({
    ...{ ...wordsIn(filter), model: undefined },
    ...{ archived: "any", agents: filter.agent && [filter.agent], onError },
  });
  const ours = ofProject(entries, filter.project);
  const undated = ours.filter(({ updated }) => count !== undefined && Number.isNaN(updated));
  if (undated.length > 0) unread.add(leftOutUndated(undated.length));
  const { estimate, as_of } = await loadPrices();
  async function read(entries: readonly SessionEntry[]): Promise<SessionUsage[]> {
    const used = await usageOf(entries, {
      ...{ estimate, kept: site.library.kept, onError, work: true },
      ...onProgress && { onProgress },
      dayOf: (time) => site.minute_of(time).slice(0, HOUR_AT + 3),
    });
    return used.map((session) => ofHour(ofModel(session, filter.model), filter.hour));
  }
  // A local day may begin before the UTC day.
  const begins = Date.parse(before_days[0]) - DAY_MS;
  const recent = ours.filter(({ updated }) => !(updated < begins));
  const hourly = await read(recent);
  const used = hourly.map(byDay);
  const total = totalOf(used, from, last);
  // All sessions are read only if the window is empty.
  const all = total.messages > 0 ? used : (await read(ours)).map(byDay);
  const dates = all.flatMap(({ rows }) => rows.map(({ day }) => day)).filter((day) => day !== "")
    .sort();
  return {
    ...{ used, total, as_of, from, last, unread: [...unread] },
    counts: scopeCounts(entries),
    first: from || (dates[0] ?? ""),
    before: count === undefined ? undefined : totalOf(used, before_days[0], before_days[1]),
    before_days,
    hours: hoursOf(hourly, from, last),
    last_used: dates.at(-1) ?? "",
  };
}

/** Returns the hour of the week, `24 * weekday + hour`, of a text such as `2026-11-21 09`. */
function hourOf(day: string): number {
  const [date = "", hour = ""] = day.split(" ");
  return 24 * ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + Number(hour);
}

function ofHour(session: SessionUsage, hour: number | undefined): SessionUsage {
  return hour === undefined
    ? session
    : { ...session, rows: session.rows.filter(({ day }) => hourOf(day) === hour) };
}

function byDay(session: SessionUsage): SessionUsage {
  const rows = session.rows.map((row) => ({ ...row, day: row.day.slice(0, HOUR_AT) }));
  return { ...session, rows };
}

function totalOf(used: readonly SessionUsage[], first: string, last?: string): UsageTotal {
  const totals = new UsageTotals("agent", first, last);
  for (const session of used) totals.add(session);
  return totals.total();
}

function hoursOf(hourly: readonly SessionUsage[], first: string, last: string): number[] {
  const hours = new Array<number>(7 * 24).fill(0);
  for (const { day, usage } of hourly.flatMap(({ rows }) => rows)) {
    if (day.length === HOUR_AT || day < first || day.slice(0, HOUR_AT) > last) continue;
    const at = hourOf(day);
    hours[at] = (hours[at] ?? 0) + countedTokens(usage);
  }
  return hours;
}
