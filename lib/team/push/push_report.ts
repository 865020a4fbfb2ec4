/** Data of a push: what left this machine, and what did not. */
import type { SharingTerms } from "../team_store.ts";

/** A session of which this machine and the store have different ends. */
export interface BegunBranch {
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

/** A session that could not be pushed or pulled, and why. */
export interface FailedSession {
  /** Its id or reference; empty where it is not known. */
  session: string;
  /** One line. */
  message: string;
}

/** The outcome of a push. */
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
  /** Sessions that could not be pushed. */
  failed: FailedSession[];
  /** Sessions of other agents in projects that are sealed. */
  left_out: number;
  /** Titles and archive flags that were sent. */
  marks: number;
  /** Why marks were refused; absent where none was. */
  marks_refused?: string;
}

/** The progress of a push or a pull. */
export interface SyncProgress {
  /** Sessions that are done. */
  done: number;
  /** Sessions that are to be done. */
  of: number;
  /** Plain bytes so far. */
  bytes: number;
}
