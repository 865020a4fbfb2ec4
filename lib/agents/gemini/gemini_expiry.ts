/**
 * Tells when Gemini CLI will delete a chat (packages/cli/src/utils/sessionCleanup.ts, 0.61). At its
 * start it deletes the project's chats whose `lastUpdated` is older than
 * `general.sessionRetention.maxAge`, by default 30 days. An invalid setting turns the cleanup off.
 * `maxCount` limits the number of chats. It is ignored here, because it implies no date.
 */
import type { Json } from "../engine/json.ts";
import { join } from "node:path";
import { isObject } from "../../core/event/guard.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { type Expiry, readSettings } from "../contract/expiry.ts";

const SETTING = "general.sessionRetention.maxAge";
const DEFAULTS = { enabled: true, maxAge: "30d", minRetention: "1d" };
const DAYS: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, m: 30 };

/** Reads the rule for deleting chats that applies in `cwd`. Undefined if none are deleted. */
export function geminiExpiry(place: AgentPlace, cwd?: string): Expiry | undefined {
  let retention: Json = DEFAULTS;
  let path: string | undefined;
  for (const file of settingsFiles(place, cwd)) {
    const general = readSettings(file)?.general;
    const set = isObject(general) ? general.sessionRetention : undefined;
    if (!isObject(set)) continue;
    retention = { ...retention, ...set };
    if (set.maxAge !== undefined) path = file;
  }
  const [after_days, least] = [inDays(retention.maxAge), inDays(retention.minRetention) ?? 1];
  if (retention.enabled !== true || after_days === undefined || after_days < least) {
    return undefined;
  }
  const rule = { after_days, measured_by: "updated_at", setting: SETTING } as const;
  return path === undefined ? rule : { ...rule, path };
}

/** Returns the paths of the settings files. Later files override earlier ones. */
function settingsFiles({ folder, os, variable }: AgentPlace, cwd?: string): string[] {
  const system = variable("GEMINI_CLI_SYSTEM_SETTINGS_PATH") ||
    join(systemFolder(os), "settings.json");
  const user = join(folder, "settings.json");
  const project = cwd === undefined ? [] : [join(cwd, ".gemini", "settings.json")];
  return [user, ...project, system];
}

function systemFolder(os: string): string {
  if (os === "windows") return "C:\\ProgramData\\gemini-cli";
  return os === "darwin" ? "/Library/Application Support/GeminiCli" : "/etc/gemini-cli";
}

function inDays(period: unknown): number | undefined {
  const [, count, unit = ""] = /^(\d+)([hdwm])$/.exec(String(period)) ?? [];
  const days = Number(count) * (DAYS[unit] ?? NaN);
  return days > 0 ? days : undefined;
}
