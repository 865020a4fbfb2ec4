/**
 * The agents whose sessions can be read, each loaded when it is asked for. Reprise's own log is one
 * of them.
 *
 * @module
 */
import { AGENT_NAMES, type AgentName, REPRISE } from "../event/agent_name.ts";
import type { Agent } from "../source/agent.ts";

const LOADERS: Readonly<Record<AgentName, () => Promise<Agent>>> = {
  [REPRISE]: async () => (await import("../session/own_agent.ts")).ownAgent,
  aider: async () => (await import("../agents/aider/aider_agent.ts")).aiderAgent,
  autohand: async () => (await import("../agents/autohand/autohand_agent.ts")).autohandAgent,
  claude: async () => (await import("../agents/claude/claude_agent.ts")).claudeAgent,
  codex: async () => (await import("../agents/codex/codex_agent.ts")).codexAgent,
  copilot: async () => (await import("../agents/copilot/copilot_agent.ts")).copilotAgent,
  fen: async () => (await import("../agents/fen/fen_agent.ts")).fenAgent,
  gemini: async () => (await import("../agents/gemini/gemini_agent.ts")).geminiAgent,
  goose: async () => (await import("../agents/goose/goose_agent.ts")).gooseAgent,
  keen: async () => (await import("../agents/keen/keen_agent.ts")).keenAgent,
  opencode: async () => (await import("../agents/opencode/opencode_agent.ts")).opencodeAgent,
  pi: async () => (await import("../agents/pi/pi_agent.ts")).piAgent,
  qwen: async () => (await import("../agents/qwen/qwen_agent.ts")).qwenAgent,
};

/** The agents that keep sessions outside the store of Reprise. */
export const OTHER_AGENTS: readonly AgentName[] = AGENT_NAMES.filter((name) => name !== REPRISE);

/** Loads the reader of one agent. */
export async function loadAgent(name: AgentName): Promise<Agent> {
  return await LOADERS[name]();
}
