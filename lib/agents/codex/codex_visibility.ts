/**
 * Explains why Codex's own lists leave out a thread. Codex's session picker scans the rollouts
 * first, and adds a row for each to the newest `state_<n>.sqlite`. Codex's other lists read only
 * these rows. A listed thread has a preview and is not archived
 * (codex-rs/state/src/runtime/threads.rs). Its source is interactive (codex-rs/rollout/src/lib.rs,
 * `INTERACTIVE_SESSION_SOURCES`). Its provider is the configured one. Each rule was tested with
 * `thread/list` of Codex 0.169.
 */
import { join } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import { isThere } from "../../core/file/presence.ts";
import { SETTINGS_BYTES, shortTextIn } from "../../core/file/short_file.ts";
import { listFolder } from "../engine/files/folder.ts";
import { asObject, asText, parsedObject } from "../engine/json.ts";
import { type Row, SqliteReader } from "../engine/sqlite/sqlite_reader.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { type ResumeCommand, UUID } from "../contract/resume_command.ts";
import type { HiddenReason, ReadHiddenReason } from "../contract/visibility.ts";
import { directoryAbsence } from "../../core/workspace/session_directory.ts";
import { lackingTurns, projectedThreads } from "./lacking_turns.ts";
import { sessionAt } from "./locate.ts";
import { readRolloutHead } from "./rollout_file.ts";

const INTERACTIVE: ReadonlySet<unknown> = new Set(["cli", "vscode", "atlas", "chatgpt"]);
const DEFAULT_PROVIDER = "openai";

export function codexVisibility({ folder, variable }: AgentPlace): ReadHiddenReason {
  const databases = variable("CODEX_SQLITE_HOME") || folder;
  const database = stateDatabase(databases);
  const rows = database === undefined ? undefined : readThreads(database);
  let projected: ReturnType<typeof projectedThreads> | undefined;
  const { provider, known } = configuredProviders(folder);
  return async ({ id, path }, { cwd, first_user_message }) => {
    const row = rows?.get(id.toLowerCase());
    if (sessionAt(id, path).archived === true || row?.archived === 1) return archivedThread(id);
    const { payload = {} } = await readRolloutHead(path) ?? {};
    const preview = asText(row?.preview) ?? first_user_message ?? "";
    if (preview === "") {
      return {
        reason: "the agent's list shows only sessions with a prompt, and this session has none",
      };
    }
    const told = {
      source: row?.source ?? payload.source,
      // A row of a rollout without a provider has an empty one.
      of: row?.model_provider || payload.model_provider,
    };
    if (!INTERACTIVE.has(sourceName(told.source))) {
      return {
        reason: `the agent's list hides sessions started by ${sourceName(told.source)}`,
        ...COPY,
      };
    }
    if (told.of !== undefined && told.of !== provider) {
      const reason =
        `the session used provider ${told.of}; the agent's list shows only sessions of provider ${provider}`;
      return { reason, ...COPY, commands: known.has(told.of) ? [resume(id, told.of)] : [] };
    }
    if (rows !== undefined && row === undefined) {
      return {
        reason:
          "Codex's state database does not list the session yet; Codex adds the session when " +
          "it next scans its session files",
      };
    }
    if (row?.rollout_path !== undefined && !isThere(String(row.rollout_path))) {
      const reason = "Codex's state database names a file that does not exist";
      return { reason: `${reason}: ${row.rollout_path}` };
    }
    const absence = cwd === undefined ? undefined : directoryAbsence(cwd);
    if (absence !== undefined) {
      return { reason: `the session's directory is ${absence}: ${cwd}`, ...COPY };
    }
    projected ??= projectedThreads(databases);
    const thread = projected.get(id.toLowerCase());
    const gap = thread === undefined ? undefined : await lackingTurns(path, thread);
    if (gap === undefined) return undefined;
    const shown = `only ${gap.all - gap.lacking} of the session's ${gap.all} turns`;
    return { reason: `Codex's history database has ${shown}, so its app does not show the others` };
  };
}

/**
 * Advice to copy a session. A copy has the source `cli` and no provider. Codex 0.169 lists a thread
 * without a provider under every provider.
 */
const COPY = { copy_helps: true } as const;

/**
 * Returns the command that resumes a thread.
 *
 * @param provider The provider to select, if the thread does not use the configured one. Codex
 * resumes only threads of the selected provider.
 */
function resume(id: string, provider?: unknown): ResumeCommand {
  const choice = provider === undefined ? [] : ["-c", `model_provider=${provider}`];
  return { argv: ["codex", ...choice, "resume", id], id_form: UUID, in_directory: false };
}

function archivedThread(id: string): HiddenReason {
  // 0.169 refuses to resume an archived thread.
  const unarchive = {
    argv: ["codex", "unarchive", id],
    id_form: UUID,
    in_directory: false,
  } as const;
  return { reason: "the session is archived", commands: [unarchive, resume(id)] };
}

/**
 * Returns the name of a thread's source. A source is a word, `{subagent: …}` or `{custom: name}`.
 * The state database stores the objects as JSON.
 */
function sourceName(source: unknown): string {
  const told = typeof source === "string" ? parsedObject(source) ?? source : source;
  if (typeof told === "string") return told;
  const { custom, ...others } = asObject(told);
  // Codex's own default.
  return asText(custom) ?? Object.keys(others)[0] ?? "vscode";
}

/** Returns the newest state database's path. The number in its name is the schema's version. */
function stateDatabase(folder: string): string | undefined {
  const numberOf = (name: string): number => Number(/^state_(\d+)\.sqlite$/.exec(name)?.[1]);
  return listFolder(folder).filter(({ name, isFile }) => isFile && numberOf(name) >= 0)
    .sort((one, other) => numberOf(one.name) - numberOf(other.name)).at(-1)?.path;
}

const COLUMNS = ["id", "rollout_path", "source", "model_provider", "archived", "preview"];

function readThreads(path: string): ReadonlyMap<string, Row> | undefined {
  try {
    using reader = new SqliteReader(path);
    if (!reader.has("threads", "id", "rollout_path")) return undefined;
    const rows = reader.all(`SELECT ${reader.select("threads", COLUMNS)} FROM threads`);
    return new Map(rows.map((row) => [String(row.id).toLowerCase(), row]));
  } catch (error) {
    // Locked or damaged: only the rollouts are used.
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}

/** Providers that Codex knows without settings (codex-rs/model-provider-info/src/lib.rs). */
const BUILT_IN = [DEFAULT_PROVIDER, "ollama", "lmstudio"];

/**
 * Reads the configured provider and the names of all known providers from `config.toml`. Only text
 * before the first table can name the configured provider.
 */
function configuredProviders(folder: string): { provider: string; known: ReadonlySet<unknown> } {
  const text = shortTextIn(join(folder, "config.toml"), SETTINGS_BYTES) ?? "";
  const [top = ""] = text.split(/^\s*\[/m);
  const described = text.matchAll(/^\s*\[\s*model_providers\.["']?([\w-]+)["']?[\s.\]]/gm);
  return {
    provider: /^\s*model_provider\s*=\s*["']([^"']+)["']/m.exec(top)?.[1] ?? DEFAULT_PROVIDER,
    known: new Set([...BUILT_IN, ...[...described].map(([, name]) => name)]),
  };
}
