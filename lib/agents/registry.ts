/**
 * The agents whose sessions are read, each loaded when it is asked for.
 *
 * @module
 */
import type { Agent, AgentName } from "./agent.ts";

const LOADERS: Readonly<Partial<Record<AgentName, () => Promise<Agent>>>> = {};

/** Names of all agents that are read. */
export const AGENT_NAMES: readonly AgentName[] = Object.keys(LOADERS) as AgentName[];

/** Whether `name` is an agent that is read. */
export function isAgentName(name: string): name is AgentName {
  return Object.hasOwn(LOADERS, name);
}

/** The reader of one agent. */
export async function loadAgent(name: AgentName): Promise<Agent> {
  const load = LOADERS[name];
  if (load === undefined) throw new RangeError(`Cannot load agent: there is none named "${name}"`);
  return await load();
}
