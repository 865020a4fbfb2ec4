/**
 * The agents by name, as events, references and lists spell them.
 */

/** Agents whose sessions are read in place, as references name them. */
export const AGENT_NAMES = [
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
] as const;

/** An agent whose sessions are read in place. */
export type AgentName = typeof AGENT_NAMES[number];

/** Whether `name` is an agent. */
export function isAgentName(name: string): name is AgentName {
  return AGENT_NAMES.includes(name as AgentName);
}
