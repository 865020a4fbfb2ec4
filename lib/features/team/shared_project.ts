/** Data of the settings of a team: what a machine shares, and where. */
import type { AgentName } from "../../core/event/agent_name.ts";

/** A data root that shares sessions. */
export interface Device {
  /** A UUID, made once for each data root. */
  id: string;
  /** A name for people: the host's name at first. */
  label: string;
}

export interface SharedProject {
  /** The project's local directory: an absolute, real path. It includes all sessions below it. */
  directory: string;
  /** Real paths of the other git work trees when it was added. Later ones are not shared. */
  work_trees?: string[];
  /** The project's name in the store, which is the same on every machine. */
  project: string;
  /** The agents whose sessions are shared. @default {all} */
  agents?: AgentName[];
}

/** Settings of a team: its store and shared projects. Writing keeps fields of later versions. */
export interface SyncSettings {
  version: 2;
  /** The store's address, without a password. */
  url: string;
  /** The store's id after its first answer. Projects added for it go to no other store. */
  store?: string;
  /** A command line whose first line of output is the password. */
  password_command?: string;
  /** Allows a connection without TLS to another host. */
  insecure?: boolean;
  /** The device that stands for this data root in the store. */
  device: Device;
  /** The projects that the user added. No other sessions are shared. */
  projects: SharedProject[];
}
