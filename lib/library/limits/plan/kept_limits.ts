/** Stores the limits that an agent gave to its status line, in the data root. */
import { join } from "node:path";
import type { AgentName } from "../../../core/event/agent_name.ts";
import { isObject } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { type PlanRecord, windowKey } from "../../../core/projection/plan_window.ts";
import { readSettingsText, writeSettingsText } from "../../../core/workspace/settings_file.ts";

/** Maximum milliseconds between two recorded ends of the same window. */
const SAME_END_MS = 60_000;

function readAll(path: string): Record<string, unknown> {
  try {
    const value = parsedJson(readSettingsText(path) ?? "");
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

export function keptLimits(root: string, agent: AgentName): PlanRecord[] {
  const { [agent]: records } = readAll(join(root, "plan_limits.json"));
  return Array.isArray(records) ? records.filter(isRecord) : [];
}

function isRecord(value: unknown): value is PlanRecord {
  if (!isObject(value)) return false;
  const { limit = "", minutes, used_percent, resets_at = "", recorded_at } = value;
  return [minutes, used_percent].every((number) => typeof number === "number") &&
    [limit, resets_at, recorded_at].every((text) => typeof text === "string");
}

export function keepLimits(
  root: string | undefined,
  agent: AgentName,
  told: readonly PlanRecord[],
): readonly PlanRecord[] {
  if (root === undefined) return told;
  const known = new Map(keptLimits(root, agent).map((record) => [windowKey(record), record]));
  const changed = told.filter((record) => goesOn(known.get(windowKey(record)), record));
  for (const record of changed) known.set(windowKey(record), record);
  const all = [...known.values()];
  const path = join(root, "plan_limits.json");
  try {
    const text = JSON.stringify({ ...readAll(path), [agent]: all }, undefined, 2);
    if (changed.length > 0) writeSettingsText(path, `${text}\n`);
  } catch (error) {
    // The line is printed even if nothing can be stored.
    if (!(error instanceof SessionError)) throw error;
  }
  return all;
}

/**
 * True if a record of a limit window replaces the stored one. The window must end later, or end at
 * the same time with higher use. An idle session's status line may report old limits.
 */
function goesOn(before: PlanRecord | undefined, record: PlanRecord): boolean {
  const later = Date.parse(record.resets_at ?? "") - Date.parse(before?.resets_at ?? "");
  if (Math.abs(later) > SAME_END_MS) return later > 0;
  return Number.isNaN(later)
    ? record.used_percent !== before?.used_percent
    : record.used_percent > (before?.used_percent ?? 0);
}
