/** Tells how much fits into the context window of an agent's usual model. */
import type { AgentName } from "../event/agent_name.ts";

/**
 * Tokens, where an agent has one provider, and its models one window: of Claude Code's models unless
 * a longer one is chosen, of GPT-5 in Codex, of Gemini 2.5 and later.
 */
const WINDOWS: Partial<Record<AgentName, number>> = {
  claude: 200_000,
  codex: 272_000,
  gemini: 1_048_576,
};

/** Returns the tokens of the window; undefined where the user's choice of a model decides. */
export function usualWindow(agent: AgentName): number | undefined {
  return WINDOWS[agent];
}
