/**
 * `config.json` in the data root.
 */
import { join } from "node:path";
import { SessionError, type SessionErrorCode } from "../event/session_error.ts";
import { type Config, type ConfigKey, defaultConfig, parseConfig } from "./config.ts";

/** Path of the settings file. */
export function configPath(root: string): string {
  return join(root, "config.json");
}

function codeOf(error: unknown): SessionErrorCode {
  if (error instanceof Deno.errors.PermissionDenied) return "permission";
  return (error as { code?: string }).code === "ENOSPC" ? "disk-full" : "io";
}

function failure(action: string, path: string, error: unknown): SessionError {
  const reason = error instanceof Error ? error.message : String(error);
  return new SessionError(codeOf(error), `Cannot ${action}: ${reason}: ${path}`, { path }, error);
}

function readText(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw failure("read settings", path, error);
  }
}

/** Puts a text in the file's place in one step: who reads meanwhile sees the old one or the new. */
function replaceText(path: string, text: string): void {
  const draft = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    Deno.writeTextFileSync(draft, text, { mode: 0o600, createNew: true });
    Deno.renameSync(draft, path);
  } catch (error) {
    try {
      Deno.removeSync(draft);
    } catch {
      // It was not made.
    }
    throw error;
  }
}

/**
 * The settings of a data root; the defaults where there is no file.
 *
 * @throws {SessionError} `invalid-config`, `permission`, `io`
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
 * @throws {SessionError} `invalid-config` when the file as it is cannot be read; `permission`,
 * `disk-full`, `io`: it is as it was.
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
  try {
    Deno.mkdirSync(root, { recursive: true, mode: 0o700 });
    replaceText(path, JSON.stringify(stored, undefined, 2) + "\n");
  } catch (error) {
    throw failure("write settings", path, error);
  }
}
