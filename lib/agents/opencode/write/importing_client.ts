/**
 * Describes how OpenCode and its forks differ when they import a session, and finds the user's
 * model.
 */
import { dirname, join } from "node:path";
import { SessionError } from "../../../core/event/session_error.ts";
import { readJsonObject } from "../../engine/files/folder.ts";
import { asList, asName, asObject } from "../../engine/json.ts";
import { parseCell } from "../../engine/sqlite/json_cell.ts";
import { SqliteReader } from "../../engine/sqlite/sqlite_reader.ts";
import type { AgentPlace } from "../../contract/agent_environment.ts";
import { readSettings } from "../../contract/expiry.ts";
import { databases } from "../locate.ts";

export interface ImportingClient {
  /** The command's name. It also names the program's folders for settings and state. */
  program: string;
  /** The version with which importing and resuming were tested. */
  version: string;
  /** The default agent. */
  agent: string;
  /** Names of the settings files, by descending precedence. */
  settings: readonly string[];
  /** Names of folders with settings files. They are searched in a project and all its ancestors. */
  beside_project: readonly string[];
  /** The environment variable that holds the path of a settings file. */
  settings_variable: string;
}

/** OpenCode, from src/config/config.ts of version 1.18. */
export const OPENCODE: ImportingClient = {
  program: "opencode",
  version: "1.18.33",
  agent: "build",
  settings: ["opencode.jsonc", "opencode.json"],
  beside_project: [".opencode"],
  settings_variable: "OPENCODE_CONFIG",
};

/** Kilo CLI, from `KilocodeConfig` of version 7.7.9. */
export const KILO: ImportingClient = {
  program: "kilo",
  version: "7.7.9",
  agent: "code",
  settings: ["kilo.jsonc", "kilo.json", ...OPENCODE.settings],
  beside_project: [".kilo", ".kilocode", ".opencode"],
  settings_variable: "KILO_CONFIG",
};

export interface UserModel {
  providerID: string;
  modelID: string;
}

/** The fallback if no model is known. OpenCode's screen then asks the user for a model. */
const UNKNOWN: UserModel = { providerID: "unknown", modelID: "unknown" };

/**
 * Returns the model that the program itself would use in a directory. This is the configured model,
 * else the last chosen model, else the newest message's model.
 *
 * `opencode run --session` uses the model of the session's last message. The command fails if the
 * user does not have that model.
 */
export function userModel(place: AgentPlace, cwd: string, client: ImportingClient): UserModel {
  return configuredModel(place, cwd, client) ?? recentModel(place, client) ??
    lastUsedModel(place) ?? UNKNOWN;
}

/** Returns the configured model. Settings nearer to `cwd` win, and global settings are last. */
function configuredModel(
  place: AgentPlace,
  cwd: string,
  client: ImportingClient,
): UserModel | undefined {
  for (const path of settingsFiles(place, cwd, client)) {
    const model = namedModel(asName(readSettings(path)?.model));
    if (model !== undefined) return model;
  }
  return undefined;
}

/** Lists the settings files by descending precedence (1.18, src/config/config.ts). */
function settingsFiles(
  { home, variable }: AgentPlace,
  cwd: string,
  { program, settings, beside_project, settings_variable }: ImportingClient,
): string[] {
  const folder = join(variable("XDG_CONFIG_HOME") || join(home, ".config"), program);
  const named = variable(settings_variable);
  const above = foldersAbove(cwd);
  const besides = above.flatMap((path) => beside_project.map((name) => join(path, name)));
  return [
    ...[...besides, ...above].flatMap((path) => settings.map((name) => join(path, name))),
    ...(named === undefined || named === "" ? [] : [named]),
    ...[...settings, "config.json"].map((name) => join(folder, name)),
  ];
}

function foldersAbove(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...foldersAbove(parent)];
}

/** Parses `provider/model`. The part after the first slash may have more slashes. */
function namedModel(name: string | undefined): UserModel | undefined {
  const [, providerID, modelID] = /^([^/{}]+)\/([^{}]+)$/.exec(name ?? "") ?? [];
  return providerID === undefined || modelID === undefined ? undefined : { providerID, modelID };
}

function recentModel(
  { home, variable }: AgentPlace,
  { program }: ImportingClient,
): UserModel | undefined {
  const folder = join(variable("XDG_STATE_HOME") || join(home, ".local", "state"), program);
  const { recent } = readJsonObject(join(folder, "model.json"));
  return asList(recent).map(modelOf).find((model) => model !== undefined);
}

const NEWEST_SESSIONS = "SELECT id FROM session ORDER BY time_updated DESC LIMIT 5";
const NEWEST_MESSAGE = "SELECT data FROM message WHERE session_id = ? " +
  "ORDER BY time_created DESC, id DESC LIMIT 1";

function lastUsedModel(place: AgentPlace): UserModel | undefined {
  for (const path of databases(place)) {
    try {
      const model = lastUsedIn(path);
      if (model !== undefined) return model;
    } catch (error) {
      // A damaged database tells no model; the client says itself what is wrong.
      if (!(error instanceof SessionError)) throw error;
    }
  }
  return undefined;
}

function lastUsedIn(path: string): UserModel | undefined {
  using reader = new SqliteReader(path);
  if (!reader.has("session", "id", "time_updated")) return undefined;
  if (!reader.has("message", "session_id", "time_created", "data")) return undefined;
  for (const { id } of reader.all(NEWEST_SESSIONS)) {
    const parsed = parseCell(reader.get(NEWEST_MESSAGE, String(id))?.data);
    const fields = "value" in parsed ? parsed.value : {};
    const model = modelOf(fields) ?? modelOf(fields.model);
    if (model !== undefined) return model;
  }
  return undefined;
}

function modelOf(value: unknown): UserModel | undefined {
  const { providerID, modelID } = asObject(value);
  const [provider, model] = [asName(providerID), asName(modelID)];
  return provider === undefined || model === undefined
    ? undefined
    : { providerID: provider, modelID: model };
}
