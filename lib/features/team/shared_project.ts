/** Types of a team's settings: what a machine shares, and where. */
import type { AgentName } from "../../core/event/agent_name.ts";

/** A data root that shares sessions. One machine can have several. */
export interface Device {
  /** The data root's UUID, made once. */
  id: string;
  /** The device's name for people. Its initial value is the host's name. */
  label: string;
}

export interface SharedProject {
  /**
   * The project's local directory: an absolute, real path. All sessions below this directory are
   * included.
   */
  directory: string;
  /**
   * Real paths of the project's other git work trees when the project was added. Later work trees
   * are not shared.
   */
  work_trees?: string[];
  /** The project's name in the store, which is the same on every machine. */
  project: string;
  /** The agents whose sessions are shared. @default {all} */
  agents?: AgentName[];
}

/**
 * A machine's settings for a team: the team's store and the shared projects. Fields of later
 * versions are kept when the settings are written.
 */
export interface SyncSettings {
  version: 2;
  /** The store's address, without a password. */
  url: string;
  /**
   * The store's id. Absent until the store was first reached. Projects that were added for this
   * store are sent to no other store.
   */
  store?: string;
  /** A command line whose first line of output is the password. */
  password_command?: string;
  /** Allows a connection without TLS to another host. */
  insecure?: boolean;
  device: Device;
  /** The projects that the user added. Sessions of other projects are never shared. */
  projects: SharedProject[];
}
