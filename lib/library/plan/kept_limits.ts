/** Keeps the limits that an agent told its status line. They lie in the data root, as settings do. */
import { join } from "node:path";
import type { AgentName } from "../../event/agent_name.ts";
import { isObject } from "../../event/guard.ts";
import { parsedJson } from "../../event/parsed_json.ts";
import { type PlanRecord, windowKey } from "../../projection/plan_window.ts";
import { readSettingsText, writeSettingsText } from "../../workspace/settings_file.ts";

/** Ends of one window differ by less. */
const SAME_END_MS = 60_000;

function limitsPath(root: string): string {
  return join(root, "plan_limits.json");
}

/** Reads the limits of all agents; none where the file is missing or damaged. */
function readAll(root: string): Record<string, unknown> {
  try {
    const value = parsedJson(readSettingsText(limitsPath(root)) ?? "");
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Returns the limits that an agent's status line was told. */
export function keptLimits(root: string, agent: AgentName): PlanRecord[] {
  const { [agent]: records } = readAll(root);
  return Array.isArray(records) ? records.filter(isRecord) : [];
}

function isRecord(value: unknown): value is PlanRecord {
  if (!isObject(value)) return false;
  const { limit = "", minutes, used_percent, resets_at = "", recorded_at } = value;
  return typeof minutes === "number" && typeof used_percent === "number" &&
    [limit, resets_at, recorded_at].every((text) => typeof text === "string");
}

/**
 * Keeps the limits that a status line was told. Writes only if they changed.
 *
 * @throws {SessionError} `unsafe-store`, `permission`, `disk-full`, `io`
 */
export function keepLimits(root: string, agent: AgentName, told: readonly PlanRecord[]): void {
  const known = new Map(keptLimits(root, agent).map((record) => [windowKey(record), record]));
  const changed = told.filter((record) => goesOn(known.get(windowKey(record)), record));
  if (changed.length === 0) return;
  for (const record of changed) known.set(windowKey(record), record);
  const all = { ...readAll(root), [agent]: [...known.values()] };
  writeSettingsText(limitsPath(root), JSON.stringify(all, undefined, 2) + "\n");
}

/**
 * True if a record is later than the one before. The session of a status line may have been idle, and
 * tells what it heard last. So the later end counts, else the higher use.
 */
function goesOn(before: PlanRecord | undefined, record: PlanRecord): boolean {
  if (before?.resets_at === undefined || record.resets_at === undefined) {
    return before?.used_percent !== record.used_percent || before.resets_at !== record.resets_at;
  }
  const later = Date.parse(record.resets_at) - Date.parse(before.resets_at);
  if (Math.abs(later) > SAME_END_MS) return later > 0;
  return record.used_percent > before.used_percent;
}
