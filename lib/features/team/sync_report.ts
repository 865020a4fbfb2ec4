/** Data of a push and of a pull: what left this machine, what came to it, and what did not. */
import type { PulledDirectory } from "./pull/relink_pulled.ts";
import type { SharingTerms } from "./team_store.ts";

/** A session of which this machine and the store have different ends. */
interface BegunBranch {
  /** The session's id in the store. */
  session: string;
  /** The branch's number. */
  n: number;
}

/** A session that is shared under other terms than its project asks for. */
export interface OtherTerms {
  /** The session's id in the store. */
  session: string;
  /** The terms under which it is shared, and stays. */
  shared: SharingTerms;
  /** The terms that its project asks for. */
  wanted: SharingTerms;
}

interface FailedSession {
  /** Its id or reference; empty where it is not known. */
  session: string;
  /** One line. */
  message: string;
}

export interface PushReport {
  /** The store's id. */
  store: string;
  /** The name under which this connection writes. */
  owner: string;
  /** Sessions of the projects that were added. */
  sessions: number;
  /** Sessions whose files changed since the last push. */
  changed: number;
  /** Sessions that got bytes in the store. */
  pushed: number;
  /** Sessions among them that were not there before. */
  began: number;
  /** Plain bytes that were appended. */
  bytes: number;
  /** Bytes that were sent for them, compressed or sealed. */
  sent_bytes: number;
  /** Branches that were begun, because another machine went on elsewhere. */
  branches: BegunBranch[];
  /** Sessions of which the store has more than this machine. */
  behind: string[];
  /** Sessions that were withdrawn, and stay so. */
  withdrawn: string[];
  /** Sessions that are shared under other terms than their project asks for: nothing of them left. */
  other_terms: OtherTerms[];
  /** Sealed sessions whose key in the store does not count here: they went up anew, with another. */
  sealed_anew: string[];
  failed: FailedSession[];
  /** Sessions of other agents in projects that are sealed. */
  left_out: number;
  /** Titles and archive flags that were sent. */
  marks: number;
  /** Why marks were refused; absent where none was. */
  marks_refused?: string;
}

export interface SyncProgress {
  /** Sessions that are done. */
  done: number;
  /** Sessions that are to be done. */
  of: number;
  /** Plain bytes so far. */
  bytes: number;
}

export interface PullReport {
  /** The store's id. */
  store: string;
  /** The name under which this connection reads. */
  owner: string;
  /** Branches that changed since the last pull. */
  changed: number;
  /** The user's own sessions that were not here: they are in the store of this machine now. */
  adopted: string[];
  /** The user's own sessions that went on elsewhere: what was new is in their logs now. */
  extended: string[];
  /** Sessions and branches that are mirrored, as references: `team:[owner/]<id>[@n]`. */
  mirrored: string[];
  /** Sessions of the user that another machine went on with elsewhere, as references to its branch. */
  diverged: string[];
  /**
   * Sessions of the user that no trusted machine signed, as references: they are mirrored, and wait to
   * be accepted.
   */
  untrusted: string[];
  /** Sessions that a process writes here: the next pull takes them. */
  busy: string[];
  /** Sealed sessions that none of the identities opens: the next pull asks again. */
  sealed: string[];
  /** Sessions that could not be pulled: the next pull asks again. */
  failed: FailedSession[];
  /** Plain bytes that were written. */
  bytes: number;
  /** Bytes that were received for them, compressed or sealed. */
  received_bytes: number;
  /** Directories of other machines whose sessions belong to a directory here now. */
  relinked: PulledDirectory[];
  /** Titles and archive flags that were taken. */
  marks: number;
}
