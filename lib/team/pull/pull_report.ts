/** Data of a pull: what came to this machine, and what did not. */
import type { FailedSession } from "../push/push_report.ts";
import type { PulledDirectory } from "./relink_pulled.ts";

/** The outcome of a pull. */
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
