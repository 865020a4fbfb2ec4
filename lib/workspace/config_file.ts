/**
 * `config.json` in the data root.
 */
import { join } from "node:path";
import { SessionError, type SessionErrorCode } from "../event/session_error.ts";
import { readShortText, SETTINGS_BYTES } from "../file/short_file.ts";
import {
  mkdirSync,
  openSync,
  readLinkSync,
  removeSync,
  renameSync,
  writeTextFileSync,
} from "../platform/files.ts";
import { isNotFound, isPermissionDenied } from "../platform/system_error.ts";
import {
  type Config,
  type ConfigKey,
  defaultConfig,
  parseConfig,
  parseStoredConfig,
} from "./config.ts";
import { type IgnoredSetting, ignoredSettings } from "./ignored_settings.ts";

/** Path of the settings file. */
export function configPath(root: string): string {
  return join(root, "config.json");
}

/** What a full disk, a quota or a limit of size is called; some have no code in Deno. */
const FULL = /^(?:ENOSPC|EDQUOT|EFBIG)$|\b(?:quota exceeded|file too large) \(os error/i;

const ADVICE: Partial<Record<SessionErrorCode, string>> = {
  "disk-full": "the disk is full; free some space and try again",
  "permission": "permission denied; check who owns it and its mode",
};

function codeOf(error: unknown): SessionErrorCode {
  if (isPermissionDenied(error)) return "permission";
  const { code = "", message = "" } = error as { code?: string; message?: string };
  return FULL.test(code) || FULL.test(message) ? "disk-full" : "io";
}

function failure(action: string, path: string, error: unknown): SessionError {
  const code = codeOf(error);
  const reason = ADVICE[code] ?? (error instanceof Error ? error.message : String(error));
  return new SessionError(code, `Cannot ${action}: ${reason}: ${path}`, { path }, error);
}

function readText(path: string): string | undefined {
  try {
    // People keep their settings elsewhere, under version control, and link them.
    return readShortText(path, SETTINGS_BYTES, { what: "settings" });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (error instanceof SessionError) throw error;
    throw failure("read settings", path, error);
  }
}

/** Puts a text in the file's place in one step: who reads meanwhile sees the old one or the new. */
function replaceText(path: string, text: string): void {
  const draft = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    writeTextFileSync(draft, text, { mode: 0o600, createNew: true });
    syncFile(draft);
    renameSync(draft, path);
  } catch (error) {
    try {
      removeSync(draft);
    } catch {
      // It was not made.
    }
    throw error;
  }
}

/** Nothing outside of the data root is written, and a link is not replaced by a file. */
function refuseLink(path: string): void {
  let target: string;
  try {
    target = readLinkSync(path);
  } catch {
    return;
  }
  const message = `Cannot write settings: ${path} is a link; change ${target} itself`;
  throw new SessionError("unsafe-store", message, { path });
}

/** Without it, a crash after the change of names could leave neither the old text nor the new one. */
function syncFile(path: string): void {
  using file = openSync(path, { write: true });
  file.syncSync();
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
 * What the settings file of a data root holds to no effect, and what would have the effect that was
 * meant.
 *
 * @throws {SessionError} `invalid-config`, `permission`, `io`
 */
export function readIgnoredSettings(root: string): IgnoredSetting[] {
  const path = configPath(root);
  return ignoredSettings(parseStoredConfig(readText(path) ?? "{}", path));
}

/**
 * Sets one value, or takes it back to its default where `value` is undefined. Everything else in
 * the file stays, whether it can be used or not. The new file takes the old one's place in one step.
 *
 * @throws {SessionError} `invalid-config` when the file as it is cannot be read; `unsafe-store` when it
 * is a link; `permission`, `disk-full`, `io`: it is as it was.
 */
export function writeConfigValue(
  root: string,
  key: ConfigKey,
  value: boolean | string | number | undefined,
): void {
  const path = configPath(root);
  refuseLink(path);
  const stored = parseStoredConfig(readText(path) ?? "{}", path);
  if (value === undefined) delete stored[key];
  else stored[key] = value;
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    replaceText(path, JSON.stringify(stored, undefined, 2) + "\n");
  } catch (error) {
    throw failure("write settings", path, error);
  }
}
