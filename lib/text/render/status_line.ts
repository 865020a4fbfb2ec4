/**
 * Parses the input that Claude Code gives to its status line program, and writes the line. Pure.
 * Source of the fields: code.claude.com/docs/en/statusline, Claude Code 2.1.
 */
import type { TokenUsage } from "../../core/event/payload.ts";
import { isObject } from "../../core/event/guard.ts";
import { parsedJson } from "../../core/event/parsed_json.ts";
import { present } from "../../core/event/present.ts";
import type { CostSum } from "../../core/projection/cost_sum.ts";
import { type PlanRecord, planRecord } from "../../core/projection/plan_window.ts";
import { countedTokens } from "../../core/projection/token_usage.ts";
import { sanitizeLine } from "./sanitize.ts";
import { formatDuration } from "./time_label.ts";
import { formatCost, formatTokens } from "./usage_text.ts";

/** A session's status as Claude Code passes it. Fields that a version does not pass are absent. */
export interface StatusInput {
  session_id?: string | undefined;
  /** Path of the session's file. */
  path?: string | undefined;
  /** Display name of the model, or else its id. */
  model?: string | undefined;
  /** Cost of the session in US dollars, as Claude Code estimates it. */
  cost_usd?: number | undefined;
  /** Used part of the context window, in percent. */
  context?: number | undefined;
  /** End of the plan's window of five hours, in milliseconds since 1970. */
  window_ends?: number | undefined;
  /** Usage of the plan's windows, as reported with the last response of a model. */
  limits?: readonly PlanRecord[];
}

/** Length in minutes of the plan windows, by Claude Code's names. */
const WINDOWS = { five_hour: 300, seven_day: 7 * 24 * 60 };

export interface StatusFacts {
  today: CostSum;
  /** Tokens that all sessions used in the five-hour window. */
  window?: TokenUsage | undefined;
  /** Milliseconds until the five-hour window ends. */
  window_left?: number | undefined;
  plan?: string;
  /** Number of other sessions that wait for the user. */
  waiting?: number | undefined;
  /** True if some sessions were not read yet, so that the real sums are larger. */
  partial: boolean;
}

/**
 * Parses the JSON object of Claude Code. `undefined` for any other text.
 *
 * @param now Milliseconds since 1970.
 */
export function parseStatusInput(text: string, now: number): StatusInput | undefined {
  const value = parsedJson(text);
  if (!isObject(value)) return undefined;
  const { session_id, transcript_path, model, cost, context_window, rate_limits } = value;
  const { display_name, id } = objectOf(model);
  const limits = objectOf(rate_limits);
  const endOf = (name: string): number =>
    1000 * (numberOf(objectOf(limits[name]).resets_at) ?? NaN);
  return present({
    session_id: textOf(session_id),
    path: textOf(transcript_path),
    // Early versions give the name alone.
    model: textOf(display_name) ?? textOf(id) ?? textOf(model),
    cost_usd: numberOf(objectOf(cost).total_cost_usd),
    context: numberOf(objectOf(context_window).used_percentage),
    window_ends: endOf("five_hour"),
    limits: Object.entries(WINDOWS).flatMap(([name, minutes]) => {
      const used_percent = numberOf(objectOf(limits[name]).used_percentage);
      const facts = { minutes, used_percent, resets_ms: endOf(name), recorded_ms: now };
      return planRecord(facts) ?? [];
    }),
  });
}

function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/**
 * Writes the line: `Opus · $0.42 · today ~$3.10 · 5 h 1.2M tokens, 2h 10m left · plan 5 h 62 %, week
 * 38 %, resets 14:10 · context 42%`.
 */
export function statusLine(
  { model, cost_usd, context }: StatusInput,
  { today, window, window_left, plan = "", waiting = 0, partial }: StatusFacts,
): string {
  const more = partial ? "+" : "";
  const day = today.cost_usd === 0 ? "" : formatCost(today);
  const left = window_left === undefined ? "" : `, ${formatDuration(1e6 * window_left)} left`;
  return [
    model === undefined ? "" : sanitizeLine(model),
    cost_usd === undefined ? "" : formatCost({ cost_usd }),
    day === "" ? "" : `today ${day}${more}`,
    window === undefined ? "" : `5 h ${formatTokens(countedTokens(window))}${more} tokens${left}`,
    plan === "" ? "" : `plan ${plan}`,
    waiting === 0 ? "" : `${waiting} ${waiting === 1 ? "waits" : "wait"} elsewhere`,
    context === undefined ? "" : `context ${Math.round(context)}%`,
  ].filter((part) => part !== "").join(" · ");
}
