/**
 * The settings: their names and values, and the file that keeps them.
 *
 * @module
 */
import { AGENT_NAMES, type AgentName, isBuiltIn, joinAgent, REPRISE } from "../event/agent_name.ts";
import { SessionError } from "../event/session_error.ts";
import { commandWords } from "../platform/shell_word.ts";
import { nearestWord } from "./nearest_word.ts";

interface Settings {
  "session.enabled": boolean;
  "session.durability": "boundary" | "event" | "none";
  "session.max_storage_mb"?: number;
  "session.retention_days"?: number;
  "session.auto_prune": boolean;
  "session.resume_last_on_start": boolean;
  "redact.on_export": boolean;
  "chat.model"?: string;
  "search.auto_index": boolean;
  "encrypt.recipients"?: string;
  "encrypt.key_command"?: string;
  "prices.file"?: string;
  "cache.enabled": boolean;
  "roots.wsl": boolean;
  "watch.bell": boolean;
}

export type Config =
  & Settings
  & { [Key in `agents.${AgentName}.roots`]?: string }
  & { [key: `agents.${string}.reader`]: string | undefined };

export type ConfigKey = keyof Config;

export interface ConfigEntry {
  description: string;
  kind: "flag" | "choice" | "positive number" | "text";
  choices?: readonly string[];
  default?: boolean | string | number;
}

/** Lists show the settings in the order of this object. */
export const CONFIG_ENTRIES: Readonly<Record<keyof Settings, ConfigEntry>> = {
  "session.enabled": {
    description: "Save sessions; if false, chats are not saved and `reprise record` fails",
    kind: "flag",
    default: true,
  },
  "session.durability": {
    description: "When to sync to disk: after messages and results, after each event, or never",
    kind: "choice",
    choices: ["boundary", "event", "none"],
    default: "boundary",
  },
  "session.max_storage_mb": {
    description: "Maximum size of all sessions, in MB (1,000,000 bytes); no limit by default",
    kind: "positive number",
  },
  "session.retention_days": {
    description: "Days to keep a session after its last update; no limit by default",
    kind: "positive number",
  },
  "session.auto_prune": {
    description: "Move sessions over these limits to the trash when `chat` or `record` begins",
    kind: "flag",
    default: false,
  },
  "session.resume_last_on_start": {
    description: "If true, `chat` continues the directory's latest session",
    kind: "flag",
    default: false,
  },
  "redact.on_export": {
    description: "Replace secrets in exported documents",
    kind: "flag",
    default: true,
  },
  "chat.model": {
    description: "Model for `chat` (default: a model of a provider whose API key is set)",
    kind: "text",
  },
  "search.auto_index": {
    description: "After a search that read a lot of data, build the index in the background",
    kind: "flag",
    default: true,
  },
  "encrypt.recipients": {
    description: "Default public keys for `export --encrypt`, separated by spaces",
    kind: "text",
  },
  "encrypt.key_command": {
    description: "Program that prints the private key for encrypted files, run without a shell",
    kind: "text",
  },
  "prices.file": {
    description: "JSON file with extra model prices, used to estimate costs",
    kind: "text",
  },
  "cache.enabled": {
    description: "Cache session summaries; false works like --no-cache",
    kind: "flag",
    default: true,
  },
  "roots.wsl": {
    description: "In WSL, also read Windows sessions; in Windows, also read WSL sessions",
    kind: "flag",
    default: false,
  },
  "watch.bell": {
    description: "Ring the terminal's bell when a session in `watch` waits for you",
    kind: "flag",
    default: false,
  },
};

export const ROOTS_NAME = "agents.AGENT.roots";

/** In `agents.AGENT.roots`, AGENT is never `reprise`. */
export const ROOTS_ENTRY: ConfigEntry = {
  description: "Other folders with the agent's sessions: ~/.claude-work, ~/.claude-home",
  kind: "text",
};

export const READER_NAME = "agents.NAME.reader";

export const READER_ENTRY: ConfigEntry = {
  description: "Your own program that prints sessions of an agent NAME, run without a shell",
  kind: "text",
};

/** NAME must not look like a drive or an address, and must not be a word of `--agent`. */
const READER_KEY =
  /^agents\.(?!(?:all|herdr|team|http|https|file)\.)([a-z][a-z0-9-]{1,31})\.reader$/;

export function readerName(key: string): string | undefined {
  const [, name] = READER_KEY.exec(key) ?? [];
  return name === undefined || isBuiltIn(name) ? undefined : name;
}

/** Returns each reader's command words by agent name, and adds these agents to the known agents. */
export function joinReaders(config: Config): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, line]) => {
      const name = readerName(key);
      return name === undefined ? [] : [[joinAgent(name), commandWords(String(line))]];
    }),
  );
}

const FOREIGN_AGENTS = AGENT_NAMES.filter((name) => name !== REPRISE);

export const ROOTS_KEYS: ReadonlySet<string> = new Set(
  FOREIGN_AGENTS.map((name) => `agents.${name}.roots`),
);

function entryOf(key: ConfigKey): ConfigEntry {
  return CONFIG_ENTRIES[key as keyof Settings] ??
    (ROOTS_KEYS.has(key) ? ROOTS_ENTRY : READER_ENTRY);
}

export const SETTING_NAMES: string = [...Object.keys(CONFIG_ENTRIES), ROOTS_NAME, READER_NAME]
  .join(", ");

export function defaultConfig(): Config {
  const config: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(CONFIG_ENTRIES)) {
    if (entry.default !== undefined) config[key] = entry.default;
  }
  return config as unknown as Config;
}

export function isConfigKey(key: string): key is ConfigKey {
  return Object.hasOwn(CONFIG_ENTRIES, key) || ROOTS_KEYS.has(key) || readerName(key) !== undefined;
}

/** Returns all values of a setting; an empty list if any text or number is valid. */
export function configValues(key: ConfigKey): readonly string[] {
  const { kind, choices = [] } = entryOf(key);
  return kind === "flag" ? ["true", "false"] : choices;
}

function invalid(message: string): SessionError {
  return new SessionError("invalid-config", message);
}

/** @throws {SessionError} `invalid-config` that suggests a valid name or lists all of them. */
export function toConfigKey(key: string): ConfigKey {
  if (isConfigKey(key)) return key;
  const [, read] = /^agents\.(.+)\.reader$/.exec(key) ?? [];
  if (read !== undefined) {
    const why = isBuiltIn(read)
      ? "Reprise already reads the sessions of this agent; choose another name"
      : "use 2 to 32 characters (a-z, 0-9 and -), and none of the words that --agent or " +
        "addresses use, such as all and team";
    throw invalid(`Cannot use "${read}" as the name of an agent: ${why}`);
  }
  const [, agent] = /^agents\.(.+)\.roots$/.exec(key) ?? [];
  if (agent !== undefined) {
    const name = nearestWord(agent, FOREIGN_AGENTS);
    const meant = name === undefined
      ? "See: reprise list --agents"
      : `Did you mean agents.${name}.roots?`;
    throw invalid(`Unknown agent "${agent}" in setting "${key}". ${meant}`);
  }
  const near = nearestWord(key, Object.keys(CONFIG_ENTRIES));
  const meant = near === undefined ? `Settings: ${SETTING_NAMES}` : `Did you mean ${near}?`;
  throw invalid(`Unknown setting "${key}". ${meant}`);
}

function fits({ kind, choices }: ConfigEntry, value: unknown): boolean {
  if (kind === "flag") return typeof value === "boolean";
  if (kind === "choice") return typeof value === "string" && choices?.includes(value) === true;
  if (kind === "text") return typeof value === "string" && value.trim() !== "";
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}

function expectation({ kind, choices }: ConfigEntry): string {
  if (kind === "flag") return "true or false";
  if (kind === "text") return "a non-empty text";
  return kind === "choice" ? `one of ${choices?.join(", ")}` : "a number above 0";
}

function readValue({ kind }: ConfigEntry, text: string): boolean | string | number {
  if (kind === "flag" && (text === "true" || text === "false")) return text === "true";
  return kind === "positive number" && text.trim() !== "" ? Number(text) : text;
}

/** @throws {SessionError} `invalid-config` that names the valid values. */
export function parseConfigValue(key: ConfigKey, text: string): boolean | string | number {
  const entry = entryOf(key);
  const value = readValue(entry, text);
  if (fits(entry, value)) return value;
  throw invalid(`Cannot set ${key} to "${text}": it must be ${expectation(entry)}`);
}

/**
 * Parses the text of a settings file without checking its values.
 *
 * @throws {SessionError} `invalid-config` if the text is not a JSON object.
 */
export function parseStoredConfig(text: string, path: string): Record<string, unknown> {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch (error) {
    throw invalid(
      `Cannot read settings: the file is not JSON: ${(error as Error).message}: ${path}`,
    );
  }
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) {
    throw invalid(`Cannot read settings: the file is not a JSON object: ${path}`);
  }
  return stored as Record<string, unknown>;
}

/**
 * Parses the text of a settings file. Defaults fill the absent settings. Unknown settings are
 * ignored, because a later version may know them.
 *
 * @throws {SessionError} `invalid-config` that names the setting and its valid values.
 */
export function parseConfig(text: string, path: string): Config {
  const config = defaultConfig() as unknown as Record<string, unknown>;
  for (const [key, value] of Object.entries(parseStoredConfig(text, path))) {
    if (!isConfigKey(key)) continue;
    const entry = entryOf(key);
    if (!fits(entry, value)) {
      const found = JSON.stringify(value);
      throw invalid(
        `Cannot read settings: ${key} is ${found}, but must be ${expectation(entry)}; ` +
          `to remove this setting: reprise config unset ${key}: ${path}`,
      );
    }
    config[key] = value;
  }
  return config as unknown as Config;
}
