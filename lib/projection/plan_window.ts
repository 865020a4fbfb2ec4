/**
 * The use of a plan's windows, from what agents record of their limits. Pure.
 *
 * @module
 */
import { present } from "../event/present.ts";

/** The use of one window of a plan, as an agent recorded it. */
export interface PlanRecord {
  /** The name of a limit beside the plan's usual one, such as that of one model. */
  limit?: string;
  /** Length of the window. */
  minutes: number;
  /** Percent of the window that is used. */
  used_percent: number;
  /** ISO 8601: when the window ends; absent where it was not recorded. */
  resets_at?: string;
  /** ISO 8601: the time of the record. */
  recorded_at: string;
}

/** A window of a plan that has not ended. */
export interface PlanWindow extends PlanRecord {
  /** The agent whose plan it is. */
  agent: string;
  /** ISO 8601: when nothing is left, if use goes on as it did; absent if the window ends before. */
  empty_at?: string;
}

const MINUTE_MS = 60_000;
/** Clocks differ, and windows may begin at a full hour. */
const SLACK_MS = 60 * MINUTE_MS;
/** A pace of less use, or of less time, says nothing. */
const LEAST_PERCENT = 10;
const LEAST_MS = 15 * MINUTE_MS;
/** Each window is at most so long. */
const LONGEST_MINUTES = 366 * 24 * 60;

/**
 * Makes a record of what an agent wrote; undefined where that is no use of a window.
 *
 * @param written Lengths of a minute less than full hours are those of early versions.
 */
export function planRecord(
  { limit, minutes = NaN, used_percent = NaN, resets_ms, recorded_ms = NaN }: {
    limit?: string | undefined;
    minutes?: number | undefined;
    used_percent?: number | undefined;
    /** Milliseconds since 1970. */
    resets_ms?: number | undefined;
    recorded_ms?: number | undefined;
  },
): PlanRecord | undefined {
  const hours = Math.round(minutes / 60);
  const length = Math.abs(minutes - 60 * hours) <= 1 && hours > 0 ? 60 * hours : minutes;
  if (!(length > 0 && length <= LONGEST_MINUTES) || !(used_percent >= 0)) return undefined;
  const recorded_at = isoTime(recorded_ms);
  if (recorded_at === undefined) return undefined;
  // A later end is none of such a window.
  const is_end = resets_ms !== undefined && resets_ms <= recorded_ms + lengthMs(length) + SLACK_MS;
  const resets_at = is_end ? isoTime(resets_ms) : undefined;
  return present({ limit, minutes: length, used_percent, resets_at, recorded_at });
}

function isoTime(milliseconds: number): string | undefined {
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function lengthMs(minutes: number): number {
  return minutes * MINUTE_MS;
}

/** Returns the newest record of each limit and length of window. The shortest window comes first. */
export function newestRecords(records: readonly PlanRecord[]): PlanRecord[] {
  const newest = new Map<string, PlanRecord>();
  for (const record of records) {
    const key = windowKey(record);
    const known = newest.get(key);
    if (known === undefined || known.recorded_at < record.recorded_at) newest.set(key, record);
  }
  return [...newest.values()].sort((one, other) =>
    (one.limit ?? "").localeCompare(other.limit ?? "") || one.minutes - other.minutes
  );
}

/** Names the window of a record among those of its agent. */
export function windowKey({ limit = "", minutes }: PlanRecord): string {
  return `${limit}\0${minutes}`;
}

/**
 * Returns the windows of an agent's plan that have not ended.
 *
 * @param agent Its name. @param records All that it recorded. @param now Milliseconds since 1970;
 * records of a later time are not believed.
 */
export function openWindows(
  agent: string,
  records: readonly PlanRecord[],
  now: number,
): PlanWindow[] {
  const believed = records.filter(({ recorded_at }) => Date.parse(recorded_at) <= now + SLACK_MS);
  return newestRecords(believed).filter((record) => endOf(record) > now)
    .map((record) => present({ agent, ...record, empty_at: emptyAt(record, now) }));
}

function endOf({ resets_at, recorded_at, minutes }: PlanRecord): number {
  return resets_at === undefined
    ? Date.parse(recorded_at) + lengthMs(minutes)
    : Date.parse(resets_at);
}

/** Returns the milliseconds since 1970 from which use counts in a window, as far as that is known. */
export function startOf(window: PlanRecord): number {
  return endOf(window) - lengthMs(window.minutes);
}

function emptyAt(record: PlanRecord, now: number): string | undefined {
  const { used_percent, resets_at, recorded_at } = record;
  const start = startOf(record);
  const elapsed = Date.parse(recorded_at) - start;
  if (resets_at === undefined || used_percent < LEAST_PERCENT || used_percent >= 100) {
    return undefined;
  }
  const empty = start + elapsed * 100 / used_percent;
  const is_told = elapsed >= LEAST_MS && empty > now && empty < endOf(record);
  return is_told ? isoTime(empty) : undefined;
}
