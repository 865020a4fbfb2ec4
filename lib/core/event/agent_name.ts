/**
 * The agents by name, as events, references and lists spell them.
 */

/** The name by which Reprise's own sessions are told from those of other agents. */
export const REPRISE = "reprise";

/** Names of all agents whose sessions can be read. Reprise itself comes first. */
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
] as const;

/** Names of the agents to which a session can be handed over. */
export const WRITABLE_AGENTS = [
  ...[REPRISE, "claude", "codex", "pi", "opencode", "gemini", "goose", "keen", "fen", "autohand"],
  ...["qwen", "copilot", "cline", "kilo", "omp"],
] as const satisfies readonly AgentName[];

/** The name of an agent whose sessions can be read. */
export type AgentName = typeof AGENT_NAMES[number];

/**
 * True when `name` is an agent's.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { isAgentName } from "@reprise/reprise/library";
 *
 * assert.ok(isAgentName("claude"));
 * assert.ok(!isAgentName("somebody"));
 * ```
 */
export function isAgentName(name: string): name is AgentName {
  return AGENT_NAMES.includes(name as AgentName);
}
