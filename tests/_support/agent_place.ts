/** Places of agents in homes of tests. */
import assert from "node:assert/strict";
import type { AgentName } from "../../lib/event/agent_name.ts";
import { descriptorOf } from "../../lib/library/registry.ts";
import type { AgentEnvironment, AgentPlace } from "../../lib/source/agent_environment.ts";
import { agentPlaces } from "../../lib/source/agent_roots.ts";

/** The main root of an agent. */
export function placeOf(name: AgentName, environment: AgentEnvironment): AgentPlace {
  const [place] = agentPlaces(descriptorOf(name), environment);
  assert.ok(place !== undefined);
  return place;
}
