/**
 * Reads a plan's usage limits from the `rate_limits` of `token_count` records.
 *
 * - Up to 0.40: `primary_used_percent`, `primary_window_minutes`, and the same fields for
 *   `secondary`. No reset time is recorded.
 * - Up to 0.47: `primary` and `secondary`, each with `used_percent`, `window_minutes` and
 *   `resets_in_seconds`, counted from the record's time.
 * - Later: `resets_at` in seconds since 1970, and `limit_id`. The id of the plan itself is `codex`.
 */
import { type PlanRecord, planRecord } from "../../core/projection/plan_window.ts";
import { asName, asNumber, asObject, type Json } from "../engine/json.ts";
import { readRecordsFromEnd } from "../engine/records/jsonl_records.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { isBelow } from "../contract/agent_roots.ts";
import { rolloutForm } from "./rollout_files.ts";

/** The `limit_id` of the plan itself. Any other id names an additional limit. */
const MAIN = "codex";
/** Maximum bytes at a rollout's end that are searched for the newest limits. */
const MOST_BYTES = 8 * 1024 * 1024;
const BLOCK_BYTES = 64 * 1024;

export async function planLimits(
  { folder }: AgentPlace,
  recent: () => Promise<readonly AgentSession[]>,
): Promise<PlanRecord[]> {
  const found: PlanRecord[] = [];
  for (const { path } of await recent()) {
    if (rolloutForm(path) !== "lines" || !isBelow(path, folder)) continue;
    for (const record of await lastLimits(path)) found.push(record);
  }
  return found;
}

/** Reads a rollout's limits from its end backward. Stops at limits that are not additional ones. */
async function lastLimits(path: string): Promise<PlanRecord[]> {
  const found: PlanRecord[] = [];
  let end: number | undefined;
  for await (const records of readRecordsFromEnd(path, { block_bytes: BLOCK_BYTES })) {
    for (const { value, position } of records) {
      end ??= position.offset;
      const limits = limitsIn(value);
      for (const one of limits) found.push(one);
      if (limits.some(({ limit }) => limit === undefined)) return found;
      if (end - position.offset > MOST_BYTES) return found;
    }
  }
  return found;
}

export function limitsIn({ type, timestamp, payload: value }: Json): PlanRecord[] {
  const payload = asObject(value);
  if (type !== "event_msg" || payload.type !== "token_count") return [];
  const limits = asObject(payload.rate_limits);
  const recorded_ms = Date.parse(asName(timestamp) ?? "");
  const id = asName(limits.limit_id);
  const limit = id === undefined || id === MAIN ? undefined : asName(limits.limit_name) ?? id;
  return ["primary", "secondary"].flatMap((slot) => {
    const window = asObject(limits[slot]);
    const seconds = asNumber(window.resets_in_seconds);
    const at = asNumber(window.resets_at);
    return planRecord({
      limit,
      minutes: asNumber(window.window_minutes) ?? asNumber(limits[`${slot}_window_minutes`]),
      used_percent: asNumber(window.used_percent) ?? asNumber(limits[`${slot}_used_percent`]),
      resets_ms: at === undefined
        ? seconds === undefined ? undefined : recorded_ms + 1000 * seconds
        : 1000 * at,
      recorded_ms,
    }) ?? [];
  });
}
