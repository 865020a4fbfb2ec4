/** Reads and changes `config.json` in the data root, and finds entries that have no effect. */
import { join } from "node:path";
import { isObject } from "../event/guard.ts";
import {
  type Config,
  type ConfigKey,
  defaultConfig,
  isConfigKey,
  parseConfig,
  parseStoredConfig,
} from "./config.ts";
import { readSettingsText, writeSettingsText } from "./settings_file.ts";

export function configPath(root: string): string {
  return join(root, "config.json");
}

/** @throws {SessionError} `invalid-config`, `permission`, `io` */
export function readConfig(root: string): Config {
  const path = configPath(root);
  const text = readSettingsText(path);
  return text === undefined ? defaultConfig() : parseConfig(text, path);
}

/** @throws {SessionError} `invalid-config`, `permission`, `io` */
export function readIgnoredSettings(root: string): IgnoredSetting[] {
  const path = configPath(root);
  return ignoredSettings(parseStoredConfig(readSettingsText(path) ?? "{}", path));
}

/**
 * Sets one setting, or removes it if `value` is undefined, so that the default applies. All other
 * entries of the file stay, even invalid ones. The new file replaces the old file atomically.
 *
 * @throws {SessionError} `invalid-config` if the file cannot be parsed; `unsafe-store` if the file
 * is a link; `permission`, `disk-full`, `io`. The file is then unchanged.
 */
export function writeConfigValue(
  root: string,
  key: ConfigKey,
  value: boolean | string | number | undefined,
): void {
  const path = configPath(root);
  const stored = parseStoredConfig(readSettingsText(path) ?? "{}", path);
  if (value === undefined) delete stored[key];
  else stored[key] = value;
  writeSettingsText(path, JSON.stringify(stored, undefined, 2) + "\n");
}

export interface IgnoredSetting {
  key: string;
  /** The settings that were probably meant, with their values; empty if there are none. */
  instead: Record<string, unknown>;
}

export function ignoredSettings(stored: Readonly<Record<string, unknown>>): IgnoredSetting[] {
  return Object.entries(stored).filter(([key]) => !isConfigKey(key))
    .map(([key, value]) => ({ key, instead: settingsIn(value, key) }));
}

const DEEPEST = 4;

function settingsIn(value: unknown, path: string, depth = 0): Record<string, unknown> {
  if (!isObject(value) || depth === DEEPEST) return {};
  const found: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const name = `${path}.${key}`;
    if (isConfigKey(name)) found[name] = inner;
    else Object.assign(found, settingsIn(inner, name, depth + 1));
  }
  return found;
}
