/**
 * `config.json` in the data root.
 */
import { join } from "node:path";
import { SessionError } from "../event/session_error.ts";
import { type Config, type ConfigKey, defaultConfig, parseConfig } from "./config.ts";

/** Path of the settings file. */
export function configPath(root: string): string {
  return join(root, "config.json");
}

function readText(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new SessionError("permission", `Cannot read settings: ${path}`, { path }, error);
  }
}

/**
 * The settings of a data root; the defaults where there is no file.
 *
 * @throws {SessionError} `invalid-config`, `permission`
 */
export function readConfig(root: string): Config {
  const path = configPath(root);
  const text = readText(path);
  return text === undefined ? defaultConfig() : parseConfig(text, path);
}

/**
 * Sets one value, or takes it back to its default where `value` is undefined. Everything else in
 * the file stays. The new file takes the old one's place in one step.
 *
 * @throws {SessionError} `invalid-config` when the file as it is cannot be read.
 */
export function writeConfigValue(
  root: string,
  key: ConfigKey,
  value: boolean | string | number | undefined,
): void {
  const path = configPath(root);
  const text = readText(path) ?? "{}";
  parseConfig(text, path);
  const stored = JSON.parse(text) as Record<string, unknown>;
  if (value === undefined) delete stored[key];
  else stored[key] = value;
  const draft = `${path}.${crypto.randomUUID()}.tmp`;
  Deno.mkdirSync(root, { recursive: true, mode: 0o700 });
  Deno.writeTextFileSync(draft, JSON.stringify(stored, undefined, 2) + "\n", {
    mode: 0o600,
    createNew: true,
  });
  Deno.renameSync(draft, path);
}
