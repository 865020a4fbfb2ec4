/** The facts of the machine that a reader or a writer of an agent's sessions gets. */

import type { AgentName } from "../../core/event/agent_name.ts";

/**
 * The facts about the machine for readers. Callers pass the facts, and readers never query the
 * system.
 */
export interface AgentEnvironment {
  /** The user's home directory. */
  home: string;
  /** Returns an environment variable of the machine with the sessions. Undefined if not set. */
  variable(name: string): string | undefined;
  /** The operating system, as `Deno.build.os` names it. */
  os: string;
  /** The data root of Reprise's own sessions. Absent if it is not known. */
  root?: string;
  /** Home folders of another system on this machine, such as Windows under WSL. @default {none} */
  other_homes?: readonly { home: string; os: string }[] | undefined;
  /**
   * Roots that the user added, by agent. Absent if there are none. See
   * {@linkcode AgentDescriptor.roots}.
   */
  added_roots?: Readonly<Partial<Record<AgentName, readonly string[]>>> | undefined;
  /** The user's own reader programs with their arguments, by agent. Absent if there are none. */
  readers?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** One root of an agent, with the environment of the machine that has it. */
export interface AgentPlace extends AgentEnvironment {
  /** Path of the root: the folder with the agent's settings and sessions. */
  folder: string;
}
