/**
 * `sync.json` in the data root: the store of the team, and the projects that are shared. It never
 * holds a password.
 */
import { join } from "node:path";
import { AGENT_NAMES, isAgentName } from "../../core/event/agent_name.ts";
import { isObject } from "../../core/event/guard.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { readSettingsText, writeSettingsText } from "../../core/workspace/settings_file.ts";
import type { SyncSettings } from "./shared_project.ts";
import { storeAddress } from "./store_address.ts";

export function syncSettingsPath(root: string): string {
  return join(root, "sync.json");
}

/**
 * Reads a data root's settings for sync.
 *
 * @returns Undefined if no store was set up.
 * @throws {SessionError} `invalid-config` that names the wrong field; `unsupported-version` for a
 * file of another version; `unsupported-source`, `permission`, `io`
 */
export function readSyncSettings(root: string): SyncSettings | undefined {
  const path = syncSettingsPath(root);
  const text = readSettingsText(path);
  return text === undefined ? undefined : parseSyncSettings(text, path);
}

/**
 * Replaces a data root's settings for sync in one step. Fields that this version does not know are
 * kept, because reading keeps them.
 *
 * @throws {SessionError} `unsafe-store` if the file is a link; `permission`, `disk-full`, `io`
 */
export function writeSyncSettings(root: string, settings: SyncSettings): void {
  writeSettingsText(syncSettingsPath(root), JSON.stringify(settings, undefined, 2) + "\n");
}

type Members = Readonly<Record<string, unknown>>;

interface Rule {
  takes: string;
  fits: (value: unknown) => boolean;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isList(value: unknown, fits: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(fits);
}

function optional(rule: Rule): Rule {
  return { takes: rule.takes, fits: (value) => value === undefined || rule.fits(value) };
}

const TEXT: Rule = { takes: "a string", fits: isText };
const FLAG: Rule = { takes: "true or false", fits: (value) => typeof value === "boolean" };
const TEXTS: Rule = { takes: "a list of strings", fits: (value) => isList(value, isText) };
const AGENTS: Rule = {
  takes: `a list of ${AGENT_NAMES.join(", ")}`,
  fits: (value) => isList(value, (name) => isText(name) && isAgentName(name)),
};
const ADDRESS: Rule = { takes: "a store's address without a password", fits: isSafe };
const UUID: Rule = {
  takes: "a UUID",
  fits: (value) => isText(value) && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value),
};

function isSafe(value: unknown): boolean {
  try {
    return isText(value) && storeAddress(value).password === undefined;
  } catch {
    return false;
  }
}

const TOP = {
  url: ADDRESS,
  store: optional(UUID),
  password_command: optional(TEXT),
  insecure: optional(FLAG),
  device: { takes: "an object", fits: isObject },
  projects: { takes: "a list of objects", fits: (value: unknown) => isList(value, isObject) },
};
const DEVICE = { id: UUID, label: TEXT };
const PROJECT = {
  directory: TEXT,
  work_trees: optional(TEXTS),
  project: TEXT,
  agents: optional(AGENTS),
};

/**
 * Parses the text of `sync.json`. Fields without a rule stay as they are.
 *
 * @throws {SessionError} `invalid-config` that names the field and its valid values;
 * `unsupported-version` for a file of another version.
 */
function parseSyncSettings(text: string, path: string): SyncSettings {
  const stored = parseObject(text, path);
  if (stored.version !== 2) throw otherVersion(stored.version, path);
  check(stored, TOP, "", path);
  check(stored.device as Members, DEVICE, "device.", path);
  for (const [index, project] of (stored.projects as Members[]).entries()) {
    check(project, PROJECT, `projects[${index}].`, path);
  }
  return stored as unknown as SyncSettings;
}

function parseObject(text: string, path: string): Members {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch (error) {
    // Not the error's own text: it quotes the file, which may hold a password that was written there.
    const where = /at position \d+|line \d+ column \d+/.exec((error as Error).message)?.[0] ?? "";
    throw invalid(
      `the file is not JSON${where === "" ? "" : ` (${where})`}; fix or remove the file`,
      path,
    );
  }
  if (!isObject(stored)) {
    throw invalid("the file is not a JSON object; fix or remove the file", path);
  }
  return stored;
}

function check(members: Members, rules: Record<string, Rule>, before: string, path: string): void {
  for (const [key, rule] of Object.entries(rules)) {
    if (!rule.fits(members[key])) throw invalid(`${before}${key} must be ${rule.takes}`, path);
  }
}

function otherVersion(version: unknown, path: string): SessionError {
  if (typeof version !== "number") return invalid("version must be 2", path);
  const message = version < 2
    ? `Cannot read sync settings: a development version wrote the file; delete it: ${path}`
    : "Cannot read sync settings: a newer Reprise wrote the file (version " +
      `${version}); update Reprise: ${path}`;
  return new SessionError("unsupported-version", message, { path });
}

function invalid(reason: string, path: string): SessionError {
  return new SessionError("invalid-config", `Cannot read sync settings: ${reason}: ${path}`, {
    path,
  });
}
