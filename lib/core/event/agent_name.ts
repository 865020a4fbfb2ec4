/** The names of the agents, as events, references and lists spell them. */

export const REPRISE = "reprise";

/**
 * Names of all agents whose sessions can be read. Reprise itself comes first. Agents that a program
 * of the user reads come last.
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
  // A format of documents that belong to no agent.
  "atif",
  // Agents that use the format of another agent come after that agent. A file without further facts
  // counts as that agent's.
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

export const WRITABLE_AGENTS = [
  ...[REPRISE, "claude", "codex", "pi", "opencode", "gemini", "goose", "keen", "fen", "autohand"],
  ...["qwen", "copilot", "cline", "kilo", "omp"],
] as const satisfies readonly AgentName[];

/** The name of an agent whose sessions can be read. */
export type AgentName = typeof AGENT_NAMES[number];

const names = AGENT_NAMES as unknown as string[];
/** Number of the agents that Reprise reads without a reader program of the user. */
const BUILT_IN = names.length;

export function isBuiltIn(name: string): boolean {
  const at = names.indexOf(name);
  return at >= 0 && at < BUILT_IN;
}

/** Removes the agents that settings added. Then the settings of another home can be read. */
export function forgetJoined(): void {
  names.length = BUILT_IN;
}

/**
 * Adds an agent that the user's reader program reads. Only this function adds to
 * {@linkcode AGENT_NAMES}.
 */
export function joinAgent(name: string): AgentName {
  if (!names.includes(name)) names.push(name);
  return name as AgentName;
}

export function isAgentName(name: string): name is AgentName {
  return AGENT_NAMES.includes(name as AgentName);
}
