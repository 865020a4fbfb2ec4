/** Opens the session store, and reads the settings beside it. */
import { operatingSystem } from "../lib/core/platform/runtime.ts";
import { openLocalStore } from "../lib/core/store/open_store.ts";
import type { LocalStore } from "../lib/core/store/local_store.ts";
import { dataRoot } from "../lib/core/workspace/data_root.ts";
import type { Context } from "./_context.ts";
import {
  configPath,
  type IgnoredSetting,
  readConfig,
  readIgnoredSettings,
} from "../lib/core/workspace/config_file.ts";
import { SETTING_NAMES } from "../lib/core/workspace/config.ts";
import { say } from "./_message.ts";
import type { PruneOptions } from "../lib/core/store/trash/prune_sessions.ts";
import { present } from "../lib/core/event/present.ts";

export function contextStore({ now, variable }: Context): LocalStore {
  const root = dataRoot(variable, operatingSystem === "windows");
  return openLocalStore(root === undefined ? { now } : { now, root });
}

/**
 * Prints the ignored settings and their replacements to stderr.
 *
 * @throws {SessionError} `invalid-config`, `permission`, `io`
 */
export async function tellIgnoredSettings(context: Context, root: string): Promise<void> {
  const ignored = readIgnoredSettings(root);
  for (const setting of ignored) {
    await say(context, `reprise: ${describe(setting)} (in ${configPath(root)})`);
  }
}

function describe({ key, instead }: IgnoredSetting): string {
  const name = JSON.stringify(key);
  const members = Object.entries(instead)
    .map(([setting, value]) => `${JSON.stringify(setting)}: ${JSON.stringify(value)}`);
  if (members.length > 0) return `setting ${name} is ignored. Use instead: ${members.join(", ")}`;
  return `setting ${name} is ignored, because it is unknown. Known settings: ${SETTING_NAMES}`;
}

const DAY_MS = 86_400_000;
const MB = 1_000_000;

export type Limits = Pick<PruneOptions, "before" | "max_bytes">;

/**
 * Reads the limits `session.retention_days` and `session.max_storage_mb`, if they are set.
 *
 * @throws {SessionError} `invalid-config`
 */
export function configuredLimits({ now }: Context, root: string): Limits {
  const config = readConfig(root);
  const { "session.retention_days": days, "session.max_storage_mb": megabytes } = config;
  return present({
    before: days === undefined ? undefined : new Date(now().getTime() - days * DAY_MS),
    max_bytes: megabytes === undefined ? undefined : megabytes * MB,
  });
}

export function hasLimit({ before, max_bytes }: Limits): boolean {
  return before !== undefined || max_bytes !== undefined;
}
