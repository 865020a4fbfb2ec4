/** Places of agents in homes of tests. */
import assert from "node:assert/strict";
import type { AgentName } from "../../lib/core/event/agent_name.ts";
import { descriptorOf } from "../../lib/library/machine/registry.ts";
import type { AgentEnvironment, AgentPlace } from "../../lib/agents/contract/agent_environment.ts";
import { agentPlaces } from "../../lib/agents/contract/agent_roots.ts";

/** The main root of an agent. */
export function placeOf(name: AgentName, environment: AgentEnvironment): AgentPlace {
  const [place] = agentPlaces(descriptorOf(name), environment);
  assert.ok(place !== undefined);
  return place;
}
