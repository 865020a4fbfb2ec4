/** Finds the agents to which sessions can be handed over. */
import { type AgentName, REPRISE } from "../event/agent_name.ts";
import { SessionError } from "../event/session_error.ts";
import { descriptorOf, OTHER_AGENTS } from "../library/registry.ts";
import { statSync } from "../platform/files.ts";
import type { AgentEnvironment, AgentPlace } from "../source/agent_environment.ts";
import { agentPlaces } from "../source/agent_roots.ts";
import type { SessionWriter } from "../source/session_writer.ts";

/** The agents whose sessions Reprise can write. */
export const HANDOVER_AGENTS: readonly AgentName[] = OTHER_AGENTS.filter((name) =>
  descriptorOf(name).loadWriter !== undefined
);

/** An agent that can get a session. */
export interface HandoverTarget {
  /** Its name in references. */
  agent: AgentName;
  /** The agent's name as its makers write it. */
  title: string;
  /** The writer of its sessions. */
  writer: SessionWriter;
  /** The root that gets the session. */
  place: AgentPlace;
  /** True if the folder of that root is there, because the agent was used. */
  present: boolean;
}

/**
 * Loads an agent that is to get a session.
 *
 * @param agent One whose sessions Reprise can write.
 * @param environment The facts of the machine, as `library.place.environment` has them.
 * @returns The agent, and whether it was ever used here.
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
 * @throws {SessionError} `unsupported-source` where Reprise cannot write its sessions.
 */
export async function handoverTarget(
  agent: AgentName,
  environment: AgentEnvironment,
): Promise<HandoverTarget> {
  const descriptor = descriptorOf(agent);
  const { title } = descriptor;
  const [place] = agentPlaces(descriptor, environment);
  const writer = await descriptor.loadWriter?.();
  if (writer === undefined || place === undefined) {
    const message = `Cannot hand over to ${title}: Reprise cannot write its sessions; ` +
      `it writes those of ${[...HANDOVER_AGENTS, REPRISE].join(", ")}`;
    throw new SessionError("unsupported-source", message);
  }
  return { agent, title, writer, place, present: isFolder(place.folder) };
}

/** True if a folder is there. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory;
  } catch {
    // Not there, or not to be seen.
    return false;
  }
}
