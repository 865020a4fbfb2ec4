/** Finds deleted sessions whose prompts are in their agent's history. */
import type { AgentName } from "../../core/event/agent_name.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import { agentPlaces } from "../../agents/contract/agent_roots.ts";
import { locateWithKept } from "./kept/kept_sessions.ts";
import { loadLocator } from "./locators.ts";
import { descriptorOf } from "./registry.ts";

/** Finds the sessions in an agent's history that neither exist nor have a backup. */
export async function* locateGone(
  name: AgentName,
  environment: AgentEnvironment,
): AsyncGenerator<AgentSession> {
  const descriptor = descriptorOf(name);
  if (descriptor.loadHistory === undefined) return;
  const there = new Set<string>();
  const locator = await loadLocator(name);
  for await (const { id } of locateWithKept(locator, name, environment, { subagents: true })) {
    there.add(id.toLowerCase());
  }
  const locate = await descriptor.loadHistory();
  for (const place of agentPlaces(descriptor, environment)) {
    for await (const session of locate(place)) {
      const key = session.id.toLowerCase();
      if (!there.has(key)) yield session;
      there.add(key);
    }
  }
}
