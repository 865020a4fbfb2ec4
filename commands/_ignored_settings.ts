/** Warns of settings in the file that have no effect, because their author expects one. */
import {
  configPath,
  type IgnoredSetting,
  readIgnoredSettings,
} from "../lib/workspace/config_file.ts";
import { SETTING_NAMES } from "../lib/workspace/config.ts";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";

/**
 * Says what is ignored, and what to write instead.
 *
 * @throws {SessionError} `invalid-config`, `permission`, `io`
 */
export async function tellIgnoredSettings(context: Context, root: string): Promise<void> {
  const ignored = readIgnoredSettings(root);
  for (const setting of ignored) {
    await say(context, `reprise: ${describe(setting)}: ${configPath(root)}`);
  }
}

function describe({ key, instead }: IgnoredSetting): string {
  const name = JSON.stringify(key);
  const members = Object.entries(instead)
    .map(([setting, value]) => `${JSON.stringify(setting)}: ${JSON.stringify(value)}`);
  if (members.length > 0) return `${name} is ignored; write instead: ${members.join(", ")}`;
  return `${name} is ignored, for no setting has that name; there are ${SETTING_NAMES}`;
}
