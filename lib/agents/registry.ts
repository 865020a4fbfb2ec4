/**
 * The agents whose sessions are read, each loaded when it is asked for.
 *
 * @module
 */
import { AGENT_NAMES, type AgentName } from "../event/agent_name.ts";
import type { Agent } from "../source/agent.ts";

const LOADERS: Readonly<Partial<Record<AgentName, () => Promise<Agent>>>> = {
  aider: async () => (await import("./aider/aider_agent.ts")).aiderAgent,
  autohand: async () => (await import("./autohand/autohand_agent.ts")).autohandAgent,
  claude: async () => (await import("./claude/claude_agent.ts")).claudeAgent,
  gemini: async () => (await import("./gemini/gemini_agent.ts")).geminiAgent,
  codex: async () => (await import("./codex/codex_agent.ts")).codexAgent,
  copilot: async () => (await import("./copilot/copilot_agent.ts")).copilotAgent,
  fen: async () => (await import("./fen/fen_agent.ts")).fenAgent,
  goose: async () => (await import("./goose/goose_agent.ts")).gooseAgent,
  keen: async () => (await import("./keen/keen_agent.ts")).keenAgent,
  opencode: async () => (await import("./opencode/opencode_agent.ts")).opencodeAgent,
  pi: async () => (await import("./pi/pi_agent.ts")).piAgent,
  qwen: async () => (await import("./qwen/qwen_agent.ts")).qwenAgent,
};

/** The agents that have a reader. */
export function readableAgents(): AgentName[] {
  return AGENT_NAMES.filter((name) => LOADERS[name] !== undefined);
}

/** The reader of one agent. */
export async function loadAgent(name: AgentName): Promise<Agent> {
  const load = LOADERS[name];
  if (load === undefined) throw new RangeError(`Cannot load agent: there is none named "${name}"`);
  return await load();
}
