/** Finds the agents to which sessions can be handed over. */
import { isFolderThere } from "../../core/file/presence.ts";
import { type AgentName, REPRISE } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { descriptorOf, OTHER_AGENTS } from "../../library/machine/registry.ts";
import type { AgentEnvironment, AgentPlace } from "../../agents/contract/agent_environment.ts";
import { agentPlaces } from "../../agents/contract/agent_roots.ts";
import type { SessionWriter } from "../../agents/contract/session_writer.ts";

/** The agents whose sessions Reprise can write. */
export const HANDOVER_AGENTS: readonly AgentName[] = OTHER_AGENTS.filter((name) =>
  descriptorOf(name).loadWriter !== undefined
);

/** An agent to which a session can be handed over. */
export interface HandoverTarget {
  /** Name of the agent in references, such as `claude`. */
  agent: AgentName;
  /** The agent's name as its makers write it. */
  title: string;
  /** True if the agent itself was seen to resume a session that was written for it. */
  proven: boolean;
  /** The folder of the agent's data in which the session is written. */
  place: AgentPlace;
  /** True if the agent's folder exists, which means that the agent was used on this machine. */
  present: boolean;
}

/**
 * Loads an agent to which a session is to be handed over.
 *
 * @param agent An agent whose sessions Reprise can write.
 * @param environment The facts of the machine, as `library.place.environment` has them.
 * @returns The agent, and whether the agent was ever used on this machine.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { handoverTarget } from "@reprise/reprise/handover";
 *
 * const environment = { home: "/nowhere", variable: () => undefined, os: "linux" };
 * const { title, present } = await handoverTarget("claude", environment);
 * assert.deepEqual([title, present], ["Claude Code", false]);
 * ```
 *
 * @throws {SessionError} `unsupported-source` if Reprise cannot write sessions of the agent.
 */
export async function handoverTarget(
  agent: AgentName,
  environment: AgentEnvironment,
): Promise<HandoverTarget> {
  const descriptor = descriptorOf(agent);
  const { title } = descriptor;
  const { proven } = await writerOf(agent);
  const [place] = agentPlaces(descriptor, environment);
  if (place === undefined) throw unwritable(title);
  return { agent, title, proven, place, present: isFolderThere(place.folder) };
}

export async function writerOf(agent: AgentName): Promise<SessionWriter> {
  const { title, loadWriter } = descriptorOf(agent);
  const writer = await loadWriter?.();
  if (writer === undefined) throw unwritable(title);
  return writer;
}

function unwritable(title: string): SessionError {
  const message = `Cannot hand over to ${title}: Reprise cannot write sessions of ${title}; ` +
    `it can write sessions of ${[...HANDOVER_AGENTS, REPRISE].join(", ")}`;
  return new SessionError("unsupported-source", message);
}
