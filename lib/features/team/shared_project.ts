/** Data of the settings of sync: what a machine shares, and where. */
import type { AgentName } from "../../core/event/agent_name.ts";
import type { Device, SharedForm, SharedWith } from "./team_store.ts";

export interface SharedProject {
  /** The project's local directory: an absolute, real path. It includes all sessions below it. */
  directory: string;
  /** Real paths of the other git work trees when it was added. Later ones are not shared. */
  work_trees?: string[];
  /** The project's name in the store, which is the same on every machine. */
  project: string;
  form: SharedForm;
  /** The agents whose sessions are shared. Absent: all of them as copies, else Reprise's own. */
  agents?: AgentName[];
  visible: SharedWith;
  /** The age recipients of sealed sessions. Absent: those of this machine's identities. */
  recipients?: string[];
}

/** Settings of sync: store and shared projects. Writing keeps fields of later versions. */
export interface SyncSettings {
  version: 1;
  /** The store's address, without a password. */
  url: string;
  /** The store's id after its first answer. Projects added for it go to no other store. */
  store?: string;
  /** A command line whose first line of output is the password. */
  password_command?: string;
  /** Allows a connection without TLS to another host. */
  insecure?: boolean;
  /** Public keys of the user's other machines. Sessions that they signed are accepted here. */
  trusted?: string[];
  /** Age recipients of removed machines. Nothing is sealed for them. */
  lost_recipients?: string[];
  /** ISO time: a sealed session whose key is older gets a new one with its next lines. */
  keys_since?: string;
  /** The device that stands for this data root in the store. */
  device: Device;
  /** The projects that the user added. No other sessions are shared. */
  projects: SharedProject[];
}
