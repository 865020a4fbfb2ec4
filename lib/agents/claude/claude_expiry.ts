/**
 * Tells when Claude Code will delete a session. At its start it deletes sessions whose file is
 * older than `cleanupPeriodDays`, by default 30. Sources: its documentation, "Settings", and
 * versions 1.0 to 2.1.330.
 *
 * The first file with this setting wins. The order is the managed settings, the project's local and
 * shared settings, then the user's settings.
 */
import { join } from "node:path";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { type Expiry, readSettings } from "../contract/expiry.ts";

const SETTING = "cleanupPeriodDays";
const DEFAULT_DAYS = 30;

/**
 * Returns the rule in force for an agent that starts in `cwd`. Without `cwd`, ignores the settings
 * of projects.
 *
 * @param own The name of the settings folder in a project
 */
export function claudeExpiry(place: AgentPlace, cwd?: string, own = ".claude"): Expiry {
  const rule = { measured_by: "mtime", setting: SETTING } as const;
  for (const path of settingsFiles(place, cwd, own)) {
    const days = readSettings(path)?.[SETTING];
    if (typeof days === "number" && days >= 0) return { ...rule, after_days: days, path };
  }
  return { ...rule, after_days: DEFAULT_DAYS };
}

function settingsFiles({ folder, os }: AgentPlace, cwd: string | undefined, own: string): string[] {
  const project = cwd === undefined ? [] : ["settings.local.json", "settings.json"]
    .map((name) => join(cwd, own, name));
  return [
    join(managedFolder(os), "managed-settings.json"),
    ...project,
    join(folder, "settings.json"),
  ];
}

function managedFolder(os: string): string {
  if (os === "windows") return "C:\\Program Files\\ClaudeCode";
  return os === "darwin" ? "/Library/Application Support/ClaudeCode" : "/etc/claude-code";
}
