/** Writes what plans have left, as people read it. Pure. */
import type { PlanWindow } from "../projection/plan_window.ts";
import { localDay } from "./local_time.ts";
import { sanitizeLine } from "./sanitize.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
/** Older records are dated. */
const FRESH_MS = 30 * MINUTE_MS;
/** Lengths in minutes that have a name of their own; each with the days of a month. */
const LENGTHS: Readonly<Record<number, string>> = {
  1440: "day",
  10080: "week",
  ...Object.fromEntries([28, 29, 30, 31].map((days) => [1440 * days, "month"])),
};

/** Names the length of a window: `5 h`, `week`. */
export function windowName(minutes: number): string {
  const name = LENGTHS[minutes];
  if (name !== undefined) return name;
  if (minutes % 1440 === 0) return `${minutes / 1440} days`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}

/** Writes percent: whole, but for a little of it. */
export function percentText(percent: number): string {
  return percent > 0 && percent < 1 ? "<1 %" : `${Math.round(percent)} %`;
}

/** Writes a time near another one: `14:10`, `Thu 09:00`, `2026-12-04`. @param now Milliseconds. */
export function clockText(iso: string, now: number): string {
  const time = new Date(iso);
  const [hours, minutes] = [time.getHours(), time.getMinutes()];
  const clock = `${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
  if (localDay(time) === localDay(new Date(now))) return clock;
  return Math.abs(time.getTime() - now) < 6 * DAY_MS
    ? `${WEEKDAYS[time.getDay()]} ${clock}`
    : localDay(time);
}

/**
 * Writes the windows of one limit:
 * `5 h 62 %, week 38 %, resets 14:10; at this pace empty at 13:20`.
 *
 * @param windows The shortest first. @param now Milliseconds since 1970. @param share Percent of the
 * shortest that one session took.
 */
export function planText(windows: readonly PlanWindow[], now: number, share?: number): string {
  const [first] = windows;
  if (first === undefined) return "";
  const own = share === undefined ? "" : ` (this session ~${percentText(share)})`;
  const uses = windows.map((one) =>
    `${windowName(one.minutes)} ${percentText(one.used_percent)}${one === first ? own : ""}`
  );
  const nameOf = (one: PlanWindow): string => one === first ? "" : `${windowName(one.minutes)} `;
  // A longer window that is used up has to end first.
  const ends = windows.findLast(({ used_percent }) => used_percent >= 100) ?? first;
  const resets = ends.resets_at === undefined
    ? []
    : [`${nameOf(ends)}resets ${clockText(ends.resets_at, now)}`];
  const empty = windows.filter(({ empty_at }) => empty_at !== undefined)
    .sort((one, other) => (one.empty_at ?? "") < (other.empty_at ?? "") ? -1 : 1)[0];
  const pace = empty?.empty_at === undefined
    ? ""
    : `; at this pace ${nameOf(empty)}empty at ${clockText(empty.empty_at, now)}`;
  const latest = windows.map(({ recorded_at }) => recorded_at).sort().at(-1) ?? "";
  const old = now - Date.parse(latest) > FRESH_MS ? ` (as of ${clockText(latest, now)})` : "";
  return [...uses, ...resets].join(", ") + pace + old;
}

/** The windows of one limit of an agent. */
export interface PlanLimit<Window extends PlanWindow = PlanWindow> {
  agent: string;
  limit: string | undefined;
  windows: Window[];
}

/** Groups windows by their limits. */
export function byLimit<Window extends PlanWindow>(
  windows: readonly Window[],
): PlanLimit<Window>[] {
  const groups = Map.groupBy(windows, ({ agent, limit = "" }) => `${agent}\0${limit}`);
  return [...groups.values()].map((own) => ({
    ...{ agent: own[0]?.agent ?? "", limit: own[0]?.limit, windows: own },
  }));
}

/** Writes a line about a limit: `OpenAI Codex plan: 5 h 62 %, …`. @param title The agent's. */
export function planLine({ limit, windows }: PlanLimit, title: string, now: number): string {
  const name = limit === undefined ? "" : ` (${sanitizeLine(limit)})`;
  return `${title} plan${name}: ${planText(windows, now)}`;
}
