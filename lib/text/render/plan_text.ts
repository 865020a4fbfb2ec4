/** Writes the remaining usage of plans for people. Pure. */
import type { AgentName } from "../../core/event/agent_name.ts";
import type { PlanWindow } from "../../core/projection/plan_window.ts";
import { localDay } from "./local_time.ts";
import { sanitizeLine } from "./sanitize.ts";

const DAY_MS = 86_400_000;
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
/** Age in milliseconds above which a usage record is shown with its time. */
const FRESH_MS = 30 * 60_000;

function windowName(minutes: number): string {
  const days = minutes / 1440;
  if (days === 7 || days === 1) return days === 7 ? "week" : "day";
  if (days >= 28 && days <= 31) return "month";
  if (Number.isInteger(days)) return `${days} days`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}

export function percentText(percent: number): string {
  return percent > 0 && percent < 1 ? "<1 %" : `${Math.round(percent)} %`;
}

/** Writes a time, short if near `now` (milliseconds): `14:10`, `Thu 09:00`, `2026-12-04`. */
export function clockText(iso: string, now: number): string {
  const time = new Date(iso);
  const clock = [time.getHours(), time.getMinutes()]
    .map((part) => String(part).padStart(2, "0")).join(":");
  if (localDay(time) === localDay(new Date(now))) return clock;
  const is_near = Math.abs(time.getTime() - now) < 6 * DAY_MS;
  return is_near ? `${WEEKDAYS[time.getDay()]} ${clock}` : localDay(time);
}

/**
 * Writes the windows of one limit:
 * `5 h 62 %, week 38 %, resets 14:10; at this pace, the limit is used up at 13:20`.
 *
 * @param windows The windows, the shortest first. @param now Milliseconds since 1970. @param share
 * Percent of the shortest window that one session took.
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
  if (ends.resets_at !== undefined) {
    uses.push(`${nameOf(ends)}resets ${clockText(ends.resets_at, now)}`);
  }
  const paces = windows.map((one) => [one.empty_at, nameOf(one)] as const)
    .filter((one): one is [string, string] => one[0] !== undefined).sort();
  const pace = paces.slice(0, 1)
    .map(([at, name]) => `at this pace, the ${name}limit is used up at ${clockText(at, now)}`);
  const latest = windows.map(({ recorded_at }) => recorded_at).sort().at(-1) ?? "";
  const old = now - Date.parse(latest) > FRESH_MS ? ` (as of ${clockText(latest, now)})` : "";
  return `${[uses.join(", "), ...pace].join("; ")}${old}`;
}

export interface PlanLine<Window extends PlanWindow> {
  line: string;
  windows: Window[];
}

/** Returns a line for each limit: `OpenAI Codex plan: 5 h 62 %, …`. */
export function planLines<Window extends PlanWindow>(
  windows: readonly Window[],
  now: number,
  names: { titleOf(agent: AgentName): string },
): PlanLine<Window>[] {
  const groups = Map.groupBy(windows, ({ agent, limit = "" }) => `${agent}\0${limit}`);
  return [...groups.values()].map((own) => {
    const [{ agent, limit }] = own as [Window];
    const name = limit === undefined ? "" : ` (${sanitizeLine(limit)})`;
    return { line: `${names.titleOf(agent)} plan${name}: ${planText(own, now)}`, windows: own };
  });
}
