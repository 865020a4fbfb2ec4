/** Divides the use of a plan's window among sessions. Pure. */
import { type PlanRecord, startOf } from "./plan_window.ts";
import { countedTokens } from "./token_usage.ts";
import type { SessionUsage } from "./usage_totals.ts";

/** The share of one session in the use of a window. */
export interface PlanShare {
  /** The session's reference. */
  ref: string;
  /** Percent of the whole window, estimated by tokens. */
  percent: number;
}

/**
 * Returns the shares of sessions, the largest first.
 *
 * @param window Its use, and when it began. @param used Sessions whose rows have a time in ISO 8601
 * as their day.
 */
export function sharesOf(window: PlanRecord, used: readonly SessionUsage[]): PlanShare[] {
  const start = startOf(window);
  const taken = used.map(({ ref, rows }) => ({
    ref,
    tokens: rows.filter(({ day }) => Date.parse(day) >= start)
      .reduce((sum, { usage }) => sum + countedTokens(usage), 0),
  })).filter(({ tokens }) => tokens > 0).sort((one, other) => other.tokens - one.tokens);
  const all = taken.reduce((sum, { tokens }) => sum + tokens, 0);
  return taken.map(({ ref, tokens }) => ({ ref, percent: window.used_percent * tokens / all }));
}
