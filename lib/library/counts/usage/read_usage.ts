/** Makes rows of the table `response` from the records of one session. */
import { onePerKey, type ResponseUsage } from "../../../core/projection/response_usage.ts";
import type { SessionWork } from "../../../core/projection/session_work.ts";
import type { SessionReader } from "../../../agents/contract/agent.ts";
import { digest } from "../../catalogue/session_state.ts";
import { inTurns } from "../../catalogue/turns.ts";
import { withoutRepeats } from "./repeated_responses.ts";

export interface UsageHead {
  models: readonly string[];
  /** The ids of the session's threads. The first is the main thread, whose id is empty. */
  threads: readonly string[];
  /** The calls and file changes of the session. Absent if they were not asked for. */
  work?: SessionWork;
}

/** A response's columns from `key` to `cost`. Lacks the columns for the session and the number. */
export type ResponseRow = readonly (number | null)[];

/** The usage in a session that was read. Each response is included once. */
export interface ReadUsage extends UsageHead {
  rows: readonly ResponseRow[];
}

/** The counts of a response, in the order of their columns. */
export const COUNTS = ["input", "output", "cache_read", "cache_write", "reasoning"] as const;
/** Maximum tokens of a count. Larger counts are not plausible, and are reduced to it. */
const MOST = 0xffffffff;
/** Billionths in a dollar, the unit of `cost`. Sums of integers are exact in any order. */
export const DOLLAR = 1e9;
const MOST_COST = 1e6 * DOLLAR;

/**
 * Reads the token usage of a session.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function readUsage(reader: Pick<SessionReader, "usage">): Promise<ReadUsage> {
  return usageIn((await Array.fromAsync(inTurns(reader.usage()))).flat());
}

/**
 * Returns the usage in a session's records. Of records with the same key, the record with the most
 * tokens counts.
 */
export function usageIn(records: readonly ResponseUsage[]): ReadUsage {
  const models = new Map<string, number>();
  const threads = new Map([["", 0]]);
  const rows = onePerKey(withoutRepeats(records)).map((response) => {
    const { key, time = "", model, thread = "", usage, cache_write_1h, cost_usd } = response;
    return [
      key === undefined ? null : digest(key),
      wholeOf(Date.parse(time) / 1000) || null,
      indexIn(models, model),
      indexIn(threads, thread),
      ...COUNTS.map((count) => wholeOf(usage[count])),
      wholeOf(cache_write_1h) ?? 0,
      cost_usd === undefined ? null : costOf(cost_usd),
    ];
  });
  return { models: [...models.keys()], threads: [...threads.keys()], rows };
}

function indexIn(names: Map<string, number>, name: string): number {
  const index = names.get(name) ?? names.size;
  names.set(name, index);
  return index;
}

function wholeOf(count: number | undefined): number | null {
  if (count === undefined || Number.isNaN(count)) return null;
  return Math.min(Math.max(0, Math.floor(count)), MOST);
}

function costOf(cost_usd: number): number {
  return Math.round(Math.min(Math.max(-MOST_COST, cost_usd * DOLLAR), MOST_COST)) || 0;
}
