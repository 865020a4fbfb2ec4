/**
 * Locates each agent's sessions, and the files that tell whether one changed. It loads without the
 * readers, which are ten times as large.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { AGENT_NAMES, type AgentName, REPRISE } from "../event/agent_name.ts";
import { isBeingWritten, locateOwn } from "../session/own_sessions.ts";
import type { Agent, AgentSession, LocateOptions } from "../source/agent.ts";
import type { AgentEnvironment } from "../source/agent_environment.ts";
import type { OpenMarks } from "../source/open_marks.ts";
import type { Expiry } from "../source/expiry.ts";
import { filesOfEnds } from "./files_of_ends.ts";
import { hasKept } from "./kept/kept_index.ts";

/** How to find an agent's sessions. */
export interface Locator {
  /** As {@linkcode Agent.locate}. */
  locate(environment: AgentEnvironment, options?: LocateOptions): AsyncIterable<AgentSession>;
  /**
   * The files that a session's summary is read from, its own first: while they are as they were, so
   * is it. Undefined where that cannot be told.
   */
  files(session: AgentSession): readonly string[] | undefined;
  /** True while a process writes the session: of an agent whose every writer holds a lock. */
  isActive?(session: AgentSession): boolean;
  /** Reads the marks that running clients leave now. Without it, clients leave none. */
  openMarks?(environment: AgentEnvironment): Promise<OpenMarks>;
}

type Locate = Locator["locate"];

const LOADERS: Readonly<Record<AgentName, () => Promise<Locate>>> = {
  [REPRISE]: () => Promise.resolve(locateOwn),
  aider: async () => (await import("../agents/aider/locate.ts")).locateAider,
  autohand: async () => (await import("../agents/autohand/locate.ts")).locateAutohand,
  claude: async () => (await import("../agents/claude/locate.ts")).locateSessions,
  codex: async () => (await import("../agents/codex/locate.ts")).locateCodex,
  copilot: async () => (await import("../agents/copilot/locate.ts")).locateSessions,
  fen: async () => (await import("../agents/fen/locate.ts")).locateFen,
  gemini: async () => (await import("../agents/gemini/locate.ts")).locateGemini,
  goose: async () => (await import("../agents/goose/locate.ts")).locateSessions,
  keen: async () => (await import("../agents/keen/locate.ts")).locateKeen,
  opencode: async () => (await import("../agents/opencode/locate.ts")).locateSessions,
  pi: async () => (await import("../agents/pi/locate.ts")).locateSessions,
  qwen: async () => (await import("../agents/qwen/locate.ts")).locateSessions,
};

/** The agents whose running clients leave marks. */
const MARKS: Readonly<Partial<Record<AgentName, NonNullable<Locator["openMarks"]>>>> = {
  claude: async (from) => (await import("../agents/claude/open_marks.ts")).openMarks(from),
  codex: async (from) => (await import("../agents/codex/open_marks.ts")).openMarks(from),
  copilot: async () => (await import("../agents/copilot/open_marks.ts")).openMarks(),
};

/** Loads what finds the sessions of one agent. */
export async function loadLocator(name: AgentName): Promise<Locator> {
  const locate = await LOADERS[name]();
  if (name === REPRISE) return { locate, files: ({ path }) => [path], isActive: isBeingWritten };
  const openMarks = MARKS[name];
  return { locate, files: filesOfEnds, ...(openMarks === undefined ? {} : { openMarks }) };
}

/** The rules by which agents delete sessions; the others delete none by themselves. */
const EXPIRIES: Readonly<Partial<Record<AgentName, () => Promise<ReadExpiry>>>> = {
  claude: async () => (await import("../agents/claude/claude_expiry.ts")).claudeExpiry,
  gemini: async () => (await import("../agents/gemini/gemini_expiry.ts")).geminiExpiry,
  keen: async () => (await import("../agents/keen/keen_expiry.ts")).keenExpiry,
};

type ReadExpiry = NonNullable<Agent["expiry"]>;

/** True for an agent that may delete sessions by itself. */
export function mayExpire(name: string): boolean {
  return Object.hasOwn(EXPIRIES, name);
}

/** The rule by which an agent deletes sessions, for one that starts in `cwd`. */
export async function loadExpiry(
  name: AgentName,
  environment: AgentEnvironment,
  cwd?: string,
): Promise<Expiry | undefined> {
  return (await EXPIRIES[name]?.())?.(environment, cwd);
}

/** Where an agent leaves traces, and what moves them. */
interface Traces {
  /** Paths below the home: at least one is there where it has sessions. */
  paths: readonly string[];
  /** Variables that name other places: where one is set, the agent itself must look. */
  variables: readonly string[];
}

const TRACES: Readonly<Partial<Record<AgentName, Traces>>> = {
  autohand: { paths: [".autohand", ".autohand-cli"], variables: ["AUTOHAND_HOME"] },
  claude: { paths: [".claude"], variables: ["CLAUDE_CONFIG_DIR"] },
  codex: { paths: [".codex"], variables: ["CODEX_HOME"] },
  copilot: { paths: [".copilot"], variables: ["COPILOT_HOME", "XDG_STATE_HOME"] },
  fen: { paths: [".local/state/fen"], variables: ["XDG_STATE_HOME"] },
  gemini: { paths: [".gemini"], variables: ["GEMINI_CLI_HOME"] },
  goose: {
    paths: [".local/share/goose", "AppData/Roaming/Block/goose"],
    variables: ["GOOSE_PATH_ROOT", "XDG_DATA_HOME", "APPDATA"],
  },
  keen: { paths: [".keen"], variables: [] },
  opencode: {
    paths: [".local/share/opencode"],
    variables: ["XDG_DATA_HOME", "OPENCODE_DB"],
  },
  pi: { paths: [".pi"], variables: ["PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR"] },
  qwen: { paths: [".qwen"], variables: ["QWEN_RUNTIME_DIR", "QWEN_HOME"] },
};

/** The variables that say where agents keep their sessions. */
export const AGENT_VARIABLES: readonly string[] = Object.values(TRACES)
  .flatMap(({ variables }) => variables);

/** Aider has no place of its own: its histories and settings lie in projects and in the home. */
const AIDER_FILES = [".aider.chat.history.md", ".aider.conf.yml", ".env"];

/**
 * The agents that may have sessions on a machine: the others have left no trace. Most people have
 * two or three, and to load what finds the sessions of ten more takes longer than a list.
 */
export function tracedAgents(
  environment: AgentEnvironment,
  names: readonly AgentName[] = AGENT_NAMES,
): AgentName[] {
  return names.filter((name) => {
    if (name === REPRISE || hasKept(environment.root, name)) return true;
    if (name === "aider") return mayHaveAider(environment);
    const traces = TRACES[name];
    return traces === undefined ||
      traces.variables.some((variable) => environment.variable(variable)) ||
      traces.paths.some((path) => existsSync(join(environment.home, path)));
  });
}

function mayHaveAider({ home, variable }: AgentEnvironment): boolean {
  if (variable("AIDER_CHAT_HISTORY_FILE")) return true;
  const folders = [home];
  const cwd = variable("PWD");
  for (let folder = cwd; folder !== undefined;) {
    folders.push(folder);
    const above = dirname(folder);
    folder = above === folder ? undefined : above;
  }
  return folders.some((folder) => AIDER_FILES.some((name) => existsSync(join(folder, name))));
}
