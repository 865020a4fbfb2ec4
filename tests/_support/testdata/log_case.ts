/**
 * One file of testdata/logs: one behaviour, its bytes, and what a reader must find in it.
 */
import type { DiagnosticCode } from "../../../lib/log/diagnostic.ts";

/** A small log with one behaviour. */
export interface LogCase {
  /** File name without `.jsonl`. */
  name: string;
  /** What the file shows, for its README. */
  says: string;
  /** What reading the lines reports, in order. */
  found: DiagnosticCode[];
  /** What folding the events reports on top. */
  folded: DiagnosticCode[];
  /** How many events a tolerant reader returns. */
  events: number;
  bytes: Uint8Array;
}

/** A case in which reading finds nothing wrong, but for what `more` says. */
export function logCase(
  name: string,
  says: string,
  events: number,
  bytes: Uint8Array,
  more: Partial<Pick<LogCase, "found" | "folded">> = {},
): LogCase {
  return { name, says, events, bytes, found: [], folded: [], ...more };
}
