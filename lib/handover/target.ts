/** Finds the agents to which sessions can be handed over. */
import { type AgentName, REPRISE } from "../event/agent_name.ts";
import { SessionError } from "../event/session_error.ts";
import { loadAgent } from "../library/registry.ts";
import { statSync } from "../platform/files.ts";
import type { Agent } from "../source/agent.ts";
import type { AgentEnvironment } from "../source/agent_environment.ts";
import type { SessionWriter } from "../source/session_writer.ts";

/** The agents whose sessions Reprise can write. */
export const HANDOVER_AGENTS: readonly AgentName[] = [
  ...["claude", "codex", "pi", "opencode", "gemini", "qwen", "keen", "fen", "autohand"] as const,
];

/** An agent that can get a session. */
export interface HandoverTarget {
  /** Its name in references. */
  agent: AgentName;
  /** The agent's name as its makers write it. */
  title: string;
  /** The reader of its sessions, which knows the command that continues one. */
  reader: Agent;
  /** The writer of its sessions. */
  writer: SessionWriter;
  /** The folder that is there where the agent was ever used. */
  home: string;
  /** True if that folder is there. */
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
  const reader = await loadAgent(agent);
  const writer = await reader.loadWriter?.();
  if (writer === undefined) {
    const message = `Cannot hand over to ${reader.title}: Reprise cannot write its sessions; ` +
      `it writes those of ${[...HANDOVER_AGENTS, REPRISE].join(", ")}`;
    throw new SessionError("unsupported-source", message);
  }
  const home = writer.home(environment);
  return { agent, title: reader.title, reader, writer, home, present: isFolder(home) };
}

/** Whether a folder is there. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory;
  } catch {
    // Not there, or not to be seen.
    return false;
  }
}
