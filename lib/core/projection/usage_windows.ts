/**
 * Usage in windows of five hours, by which the plans of Claude limit usage. The rules are from
 * ccusage 17 (`apps/ccusage/src/_session-blocks.ts`). Pure.
 */
import { present } from "../event/present.ts";
import { countedTokens } from "./token_usage.ts";
import { addToTotal, emptyTotal, type SessionUsage, type UsageTotal } from "./usage_totals.ts";
import type { UsageRow } from "./usage_rows.ts";

/** The usage in one window of five hours. `group` is the hour of its first answer (ISO 8601). */
export interface UsageWindow extends UsageTotal {
  /** ISO 8601: end of the window, five hours after its start. */
  ends_at: string;
  /** ISO 8601: the minute of the window's last answer. */
  last_at: string;
  active?: true;
  /** Tokens per minute between the first and the last answer; absent if both are in one minute. */
  tokens_per_minute?: number;
  /** US dollars per hour between the first and the last answer; absent if no cost is known. */
  cost_per_hour?: number;
  /** The expected total at the end of an active window, at its present rate. */
  projected?: { tokens: number; cost_usd?: number };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WINDOW_MS = 5 * HOUR_MS;

/** A session's answers by one model in one minute. `at` is in milliseconds since 1970. */
interface Answered {
  at: number;
  row: UsageRow;
  session: SessionUsage;
}

/**
 * Returns the windows by time. A window begins at the hour of its first answer. The first answer
 * after its end begins the next window.
 *
 * @param used Usage of sessions. Each row's `day` is a minute in ISO 8601. Rows without a time are
 * in no window. @param now Milliseconds since 1970.
 */
export function usageWindows(used: readonly SessionUsage[], now: number): UsageWindow[] {
  const answers = used.flatMap((session) =>
    session.rows.map((row): Answered => ({ at: Date.parse(row.day), row, session }))
  ).filter(({ at }) => !Number.isNaN(at)).sort((one, other) => one.at - other.at);
  const windows: Answered[][] = [];
  let end = -Infinity;
  for (const answer of answers) {
    if (answer.at >= end) {
      end = answer.at - answer.at % HOUR_MS + WINDOW_MS;
      windows.push([]);
    }
    windows.at(-1)?.push(answer);
  }
  return windows.map((one) => windowOf(one, now));
}

function windowOf(answers: readonly Answered[], now: number): UsageWindow {
  const first = answers[0]?.at ?? 0;
  const last = answers.at(-1)?.at ?? first;
  const start = first - first % HOUR_MS;
  const end = start + WINDOW_MS;
  const total = emptyTotal(new Date(start).toISOString());
  for (const { row } of answers) addToTotal(total, row);
  total.sessions = new Set(answers.map(({ session }) => session)).size;
  const minutes = (last - first) / MINUTE_MS;
  const each = (count: number | undefined): number | undefined =>
    count === undefined || minutes === 0 ? undefined : count / minutes;
  const tokens = countedTokens(total.usage);
  const rate = { tokens: each(tokens), cost: each(total.cost_usd) };
  const active = now < end && now >= start;
  const left = (end - now) / MINUTE_MS;
  return present({
    ...total,
    ends_at: new Date(end).toISOString(),
    last_at: new Date(last).toISOString(),
    active: active ? true as const : undefined,
    tokens_per_minute: rate.tokens,
    cost_per_hour: rate.cost === undefined ? undefined : 60 * rate.cost,
    projected: !active || rate.tokens === undefined ? undefined : present({
      tokens: Math.round(tokens + rate.tokens * left),
      cost_usd: rate.cost === undefined ? undefined : (total.cost_usd ?? 0) + rate.cost * left,
    }),
  });
}
