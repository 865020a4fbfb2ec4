/**
 * The agents by name, as events, references and lists spell them.
 */

/** The name by which Reprise's own sessions are told from those of other agents. */
export const REPRISE = "reprise";

/**
 * Names of all agents whose sessions can be read. Reprise itself comes first, agents with a reader
 * of the user's own last.
 */
export const AGENT_NAMES = [
  REPRISE,
  "claude",
  "codex",
  "pi",
  "opencode",
  "gemini",
  "goose",
  "aider",
  "keen",
  "fen",
  "autohand",
  "qwen",
  "copilot",
  "vibe",
  "antigravity",
  "cline",
  "droid",
  "crush",
  "continue",
  "kiro",
  "cursor",
  "zed",
  "vscode",
  "grok",
  "kimi",
  "codebuddy",
  "auggie",
  "openhands",
  "hermes",
  "deepseek",
  // Documents of no agent of their own.
  "atif",
  // Those that keep another one's format come behind it: a file by itself is that one's.
  "claude-desktop",
  "openclaude",
  "iflow",
  "qoder",
  "traex",
  "kilo",
  "mimo",
  "omp",
  "openclaw",
  "roo",
  "kilo-code",
  "open-interpreter",
  "pearai",
  "prime",
] as const;

/** Names of the agents to which a session can be handed over. */
export const WRITABLE_AGENTS = [
  ...[REPRISE, "claude", "codex", "pi", "opencode", "gemini", "goose", "keen", "fen", "autohand"],
  ...["qwen", "copilot", "cline", "kilo", "omp"],
] as const satisfies readonly AgentName[];

/** The name of an agent whose sessions can be read. */
export type AgentName = typeof AGENT_NAMES[number];

const names = AGENT_NAMES as unknown as string[];
/** Number of the agents that need no reader of the user's own. */
const BUILT_IN = names.length;

/** True for the name of an agent that needs no reader of the user's own. */
export function isBuiltIn(name: string): boolean {
  const at = names.indexOf(name);
  return at >= 0 && at < BUILT_IN;
}

/** Takes all agents away that were added, as before the settings of another home are read. */
export function forgetJoined(): void {
  names.length = BUILT_IN;
}

/**
 * Adds an agent that a program of the user reads to {@linkcode AGENT_NAMES}. The only place where
 * a name becomes one of an agent.
 */
export function joinAgent(name: string): AgentName {
  if (!names.includes(name)) names.push(name);
  return name as AgentName;
}

/**
 * True when `name` is an agent's.
 */
export function isAgentName(name: string): name is AgentName {
  return AGENT_NAMES.includes(name as AgentName);
}
