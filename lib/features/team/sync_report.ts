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

/** A session whose shared terms differ from those that its project asks for. */
export interface OtherTerms {
  /** The session's id in the store. */
  session: string;
  /** The current terms in the store, which do not change. */
  shared: SharingTerms;
  /** The terms that the project asks for. */
  wanted: SharingTerms;
}

interface FailedSession {
  /** The session's id or reference; empty if unknown. */
  session: string;
  /** The error message, in one line. */
  message: string;
}

/** The result of comparing what this machine sent with what the store has. */
export interface StoreCheckReport {
  /** Number of sessions of this machine in the store. */
  sessions: number;
  /** Number of lost segments that were sent again. */
  restored: number;
  /** Ids of sessions whose end is sent again, because several segments in a row were lost. */
  cut: string[];
  /** Sessions with lost bytes that this machine cannot send again. */
  lost: FailedSession[];
}

export interface PushReport {
  /** The store's id. */
  store: string;
  /** The member name of this connection. */
  owner: string;
  /** Sessions of the projects that were added. */
  sessions: number;
  /** Sessions whose files changed since the last push. */
  changed: number;
  /** Number of sessions to which bytes were appended in the store. */
  pushed: number;
  /** Number of the pushed sessions that the store did not have before. */
  began: number;
  /** Plain bytes that were appended. */
  bytes: number;
  /** Number of bytes sent: segments, compressed or sealed, lists of sessions, and marks. */
  sent_bytes: number;
  /** The branches that were begun, because another machine continued the session differently. */
  branches: BegunBranch[];
  /** Ids of sessions of which the store has more than this machine. */
  behind: string[];
  /** Ids of sessions that were withdrawn, and are not pushed again. */
  withdrawn: string[];
  /** Sessions that were not pulled, because their terms differ from those of the project. */
  other_terms: OtherTerms[];
  /** Ids of sealed sessions pushed again with a new key: the stored one is not trusted here. */
  sealed_anew: string[];
  /** Ids of sessions replaced in the store, because their secrets were scrubbed here. */
  replaced: string[];
  failed: FailedSession[];
  /** Number of other agents' sessions in sealed projects, which are not shared. */
  left_out: number;
  /** Number of marks, such as titles and archive flags, that were sent. */
  marks: number;
  /** The check of what the store has; absent if it was checked earlier today. */
  check?: StoreCheckReport;
  /** The store's reason for refusing marks; absent if it refused none. */
  marks_refused?: string;
}

export interface SyncProgress {
  /** Number of finished sessions. */
  done: number;
  /** Number of all sessions of the transfer. */
  of: number;
  /** Number of plain bytes transferred so far. */
  bytes: number;
}

export interface PullReport {
  /** The store's id. */
  store: string;
  /** The member name of this connection. */
  owner: string;
  /** Branches that changed since the last pull. */
  changed: number;
  /** Ids of the user's sessions that were added to the store of this machine. */
  adopted: string[];
  /** Ids of the user's sessions whose logs were extended. */
  extended: string[];
  /** Sessions and branches that are mirrored, as references: `team:[owner/]<id>[@n]`. */
  mirrored: string[];
  /** References to branches in which another machine continued the user's sessions differently. */
  diverged: string[];
  /**
   * References to sessions of the user that no trusted machine signed. They are mirrored until the
   * user accepts them.
   */
  untrusted: string[];
  /** References to branches of which the store does not have all bytes yet. */
  incomplete: string[];
  /** Ids of sessions that a local process is writing. The next pull takes them. */
  busy: string[];
  /** Ids of sealed sessions that no identity opens. The next pull asks for them again. */
  sealed: string[];
  /** The sessions that could not be pulled. The next pull asks for them again. */
  failed: FailedSession[];
  /** Plain bytes that were written. */
  bytes: number;
  /** Number of bytes received: segments, compressed or sealed, lists of sessions, and marks. */
  received_bytes: number;
  /** The directories of other machines whose sessions now belong to a local directory. */
  relinked: PulledDirectory[];
  /** Titles and archive flags that were taken. */
  marks: number;
}
