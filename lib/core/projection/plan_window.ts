/** Computes the used part of a plan's time windows, from the limits that agents record. Pure. */
import type { AgentName } from "../event/agent_name.ts";
import { present } from "../event/present.ts";
import { countedTokens } from "./token_usage.ts";
import type { SessionUsage } from "./usage_totals.ts";

/** The used part of one time window of a plan, as an agent recorded it. */
export interface PlanRecord {
  /** The name of a special limit, such as that of one model; absent for the plan's usual limit. */
  limit?: string;
  /** Length of the window in minutes. */
  minutes: number;
  used_percent: number;
  /** Time at which the window ends, in ISO 8601; absent if not recorded. */
  resets_at?: string;
  /** Time of the record, in ISO 8601. */
  recorded_at: string;
}

/** A window of a plan that has not ended. */
export interface PlanWindow extends PlanRecord {
  agent: AgentName;
  /** Time of full use at the current pace, in ISO 8601; absent if the window ends earlier. */
  empty_at?: string;
}

const MINUTE_MS = 60_000;
/** Tolerance in milliseconds, because clocks differ and a window may begin at a full hour. */
const SLACK_MS = 60 * MINUTE_MS;
/** Minimum percent used before a pace is computed. */
const LEAST_PERCENT = 10;
const LEAST_MS = 15 * MINUTE_MS;
const LONGEST_MINUTES = 366 * 24 * 60;

/** The facts that an agent recorded about a window. Times are in milliseconds since 1970. */
type WrittenFacts =
  & Partial<Record<"minutes" | "used_percent" | "resets_ms" | "recorded_ms", number | undefined>>
  & { limit?: string | undefined };

/** Returns a record of the facts that an agent wrote, or undefined if they describe no window. */
export function planRecord(
  { limit, minutes = NaN, used_percent = NaN, resets_ms = NaN, recorded_ms = NaN }: WrittenFacts,
): PlanRecord | undefined {
  // Early versions write a minute less than the window's length.
  const hours = Math.round(minutes / 60);
  const length = hours > 0 && Math.abs(minutes - 60 * hours) <= 1 ? 60 * hours : minutes;
  const recorded_at = isoTime(recorded_ms);
  const is_window = length > 0 && length <= LONGEST_MINUTES && used_percent >= 0;
  if (!is_window || recorded_at === undefined) return undefined;
  // A window of this length cannot end later.
  const is_end = resets_ms <= recorded_ms + length * MINUTE_MS + SLACK_MS;
  const resets_at = is_end ? isoTime(resets_ms) : undefined;
  return present({ limit, minutes: length, used_percent, resets_at, recorded_at });
}

function isoTime(milliseconds: number): string | undefined {
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Returns a key of a record's window, unique among the windows of its agent. */
export function windowKey({ limit = "", minutes }: PlanRecord): string {
  return `${limit}\0${minutes}`;
}

/** Returns the newest record of each window, sorted by limit and then by length. */
export function newestRecords(records: readonly PlanRecord[]): PlanRecord[] {
  const newest = new Map<string, PlanRecord>();
  for (const record of records) {
    const known = newest.get(windowKey(record));
    if (known === undefined || known.recorded_at < record.recorded_at) {
      newest.set(windowKey(record), record);
    }
  }
  return [...newest.values()].sort((one, other) =>
    (one.limit ?? "").localeCompare(other.limit ?? "") || one.minutes - other.minutes
  );
}

/**
 * Returns the windows of an agent's plan that have not ended.
 *
 * @param now Milliseconds since 1970. Records with a later time are ignored.
 */
export function openWindows(
  agent: AgentName,
  records: readonly PlanRecord[],
  now: number,
): PlanWindow[] {
  const believed = records.filter(({ recorded_at }) => Date.parse(recorded_at) <= now + SLACK_MS);
  return newestRecords(believed).filter((record) => endOf(record) > now)
    .map((record) => present({ agent, ...record, empty_at: emptyAt(record, now) }));
}

function endOf({ resets_at, recorded_at, minutes }: PlanRecord): number {
  return Date.parse(resets_at ?? recorded_at) +
    (resets_at === undefined ? minutes * MINUTE_MS : 0);
}

/** Returns a window's start in milliseconds since 1970, or the record's time if no end is known. */
export function startOf(window: PlanRecord): number {
  return endOf(window) - window.minutes * MINUTE_MS;
}

function emptyAt(record: PlanRecord, now: number): string | undefined {
  const { used_percent: used, resets_at, recorded_at } = record;
  const start = startOf(record);
  const elapsed = Date.parse(recorded_at) - start;
  const empty = start + elapsed * 100 / used;
  const is_told = resets_at !== undefined && used >= LEAST_PERCENT && used < 100 &&
    elapsed >= LEAST_MS && empty > now && empty < endOf(record);
  return is_told ? isoTime(empty) : undefined;
}

export interface PlanShare {
  ref: string;
  /** Percent of the whole window that the session used, estimated by its tokens. */
  percent: number;
}

/**
 * Divides a window's used percent among sessions by their tokens, the largest share first.
 *
 * @param used Sessions with usage rows. The `day` of each row must be a full time in ISO 8601.
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
