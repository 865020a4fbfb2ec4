/** Data of a push and of a pull: what was sent, what was received, and what failed. */

export interface FailedSession {
  /** The session's id or reference. Empty if the error concerns no single session. */
  session: string;
  message: string;
}

export interface StoreCheckReport {
  /** Number of sessions that this machine sent. */
  sessions: number;
  /** Ids of sessions whose lost or changed parts are sent again. */
  restored: string[];
  /** Sessions with lost parts that this machine cannot send again. */
  lost: FailedSession[];
}

export interface PushReport {
  store: string;
  owner: string;
  /** Number of sessions in the shared projects. */
  sessions: number;
  /** Number of sessions whose files changed since the last push. */
  changed: number;
  /** Number of sessions of which something was sent. */
  pushed: number;
  /** Number of the pushed sessions that the store did not have before. */
  began: number;
  /** Number of bytes that were sent, before compression. */
  bytes: number;
  /** Number of bytes of all objects that were written to the store, after compression. */
  sent_bytes: number;
  /** Ids of sessions that another machine withdrew. They are not pushed again. */
  withdrawn: string[];
  failed: FailedSession[];
  /** The check of the store. Absent if the store was checked earlier today. */
  check?: StoreCheckReport;
}

export interface SyncProgress {
  done: number;
  of: number;
  /** Number of bytes transferred so far, before compression. */
  bytes: number;
}

export interface PullReport {
  store: string;
  owner: string;
  /** References of sessions that are new on this machine, or have grown: `team:[owner/]<id>`. */
  pulled: string[];
  /** Names of machines that have not yet sent all parts of their sessions to the store. */
  incomplete: string[];
  /** The sessions that could not be pulled. The next pull asks for them again. */
  failed: FailedSession[];
  /** Number of bytes that were written, after decompression. */
  bytes: number;
  /** Number of bytes of all objects that were read from the store, before decompression. */
  received_bytes: number;
}
