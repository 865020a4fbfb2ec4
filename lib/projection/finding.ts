/** Findings of a projection about the order of events, not about the bytes of a line. */

/** Code of such a finding; a subset of the diagnostic codes. */
export type FindingCode =
  | "orphan-settlement"
  | "unsettled-call"
  | "invalid-compaction"
  | "stale-checkpoint"
  | "missing-header";

/** One finding, at the event it is about (`seq` 0: the log as a whole). */
export interface Finding {
  /** Stable: programs may rely on it. */
  code: FindingCode;
  /** Number of the event; 0 where it is about the log as a whole. */
  seq: number;
  /** The finding, for people: its words may change at any time. */
  detail: string;
}
