/** The facts of the machine that a reader or a writer of an agent's sessions gets. */

import type { AgentName } from "../../core/event/agent_name.ts";

/** The facts about the machine that a reader may use. It is given, never asked for. */
export interface AgentEnvironment {
  /** The user's home directory. */
  home: string;
  /** Returns the value of an environment variable; undefined if it is not set. */
  variable(name: string): string | undefined;
  /** The operating system, as `Deno.build.os` names it. */
  os: string;
  /** The data root of Reprise's own sessions; absent if it is not known. */
  root?: string;
  /** Homes of another system on this machine, whose agents have sessions there. @default {none} */
  other_homes?: readonly { home: string; os: string }[] | undefined;
  /** Roots that the user added, by the agent's name; see {@linkcode AgentDescriptor.roots}. */
  added_roots?: Readonly<Partial<Record<AgentName, readonly string[]>>> | undefined;
}

/** One root of an agent, with the environment of the machine that has it. */
export interface AgentPlace extends AgentEnvironment {
  /** Path of the root: the folder with the agent's settings and sessions. */
  folder: string;
}
