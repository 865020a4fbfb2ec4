/**
 * Reads the plan limits that Claude Code (2.1.330) caches in `.claude.json`, as
 * `cachedUsageUtilization`. They are from its last `/usage`. Its status line receives limits more
 * often.
 */
import { join } from "node:path";
import { type PlanRecord, planRecord } from "../../core/projection/plan_window.ts";
import { readJsonObject } from "../engine/files/folder.ts";
import { asName, asNumber, asObject } from "../engine/json.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";

const WEEK = 7 * 24 * 60;

const WINDOWS: readonly (readonly [key: string, minutes: number, limit?: string])[] = [
  ["five_hour", 300],
  ["seven_day", WEEK],
  ["seven_day_opus", WEEK, "Opus"],
  ["seven_day_sonnet", WEEK, "Sonnet"],
];

export function planLimits({ folder }: AgentPlace): PlanRecord[] {
  // Beside the usual folder, and in one that a variable names.
  return [join(folder, ".claude.json"), `${folder}.json`].flatMap((path) => {
    const { fetchedAtMs, utilization } = asObject(readJsonObject(path).cachedUsageUtilization);
    return WINDOWS.flatMap(([key, minutes, limit]) => {
      const window = asObject(asObject(utilization)[key]);
      const resets = asName(window.resets_at);
      return planRecord({
        ...{ limit, minutes, used_percent: asNumber(window.utilization) },
        resets_ms: resets === undefined ? undefined : Date.parse(resets),
        recorded_ms: asNumber(fetchedAtMs),
      }) ?? [];
    });
  });
}
