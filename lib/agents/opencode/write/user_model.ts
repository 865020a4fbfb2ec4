/**
 * Finds a model that the user of OpenCode, or of a fork of it, has. Every message names one, and `opencode run --session`
 * goes on with that of the last message. Where it is not there, that fails.
 */
import { dirname, join } from "node:path";
import { SessionError } from "../../../event/session_error.ts";
import type { AgentPlace } from "../../../source/agent_environment.ts";
import { readSettings } from "../../../source/expiry.ts";
import { readJsonObject } from "../../../reading/files/folder.ts";
import { parseCell } from "../../../reading/sqlite/json_cell.ts";
import { asList, asName, asObject } from "../../../reading/json_value.ts";
import { SqliteReader } from "../../../reading/sqlite/sqlite_reader.ts";
import { databases } from "../locate.ts";
import type { ImportingClient } from "./importing_client.ts";

/** A model as OpenCode names it. */
export interface UserModel {
  providerID: string;
  modelID: string;
}

/** Taken where nothing tells a model: OpenCode's screen then asks for one. */
const UNKNOWN: UserModel = { providerID: "unknown", modelID: "unknown" };

/**
 * Returns the model that the program itself would use in a directory. The settings come first, then
 * the last choice, then the newest message.
 */
export function userModel(place: AgentPlace, cwd: string, client: ImportingClient): UserModel {
  return configuredModel(place, cwd, client) ?? recentModel(place, client) ??
    lastUsedModel(place) ?? UNKNOWN;
}

/** Settings near the directory win over those above it, and these over the user's own. */
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

/** Lists the files of settings, the strongest first (1.18, src/config/config.ts). */
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

/** Parses `provider/model`. The model's own name may have slashes. */
function namedModel(name: string | undefined): UserModel | undefined {
  const [, providerID, modelID] = /^([^/{}]+)\/([^{}]+)$/.exec(name ?? "") ?? [];
  return providerID === undefined || modelID === undefined ? undefined : { providerID, modelID };
}

/** Returns the model that was chosen last on the screen. */
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
