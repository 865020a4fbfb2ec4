/**
 * Findings of reading a log. They are values, never errors.
 *
 * @module
 */
import type { LinePosition } from "../event/envelope.ts";

/** The code of a diagnostic. Codes do not change between versions. */
export type DiagnosticCode =
  | "malformed-line"
  | "torn-tail"
  | "glued-line"
  | "nul-run"
  | "invalid-utf8"
  | "checksum-mismatch"
  | "seq-gap"
  | "seq-repeat"
  | "unknown-kind"
  | "invalid-payload"
  | "unsupported-version"
  | "oversized-line"
  | "too-deep"
  | "orphan-settlement"
  | "unsettled-call"
  | "invalid-compaction"
  | "invalid-branch"
  | "stale-checkpoint"
  | "missing-header"
  | "missing-parent"
  | "parent-cycle";

/** A finding about a log: code, position, and a text for people. */
export interface Diagnostic extends LinePosition {
  /** The code of the finding. Programs may rely on it. */
  code: DiagnosticCode;
  /** The finding as a text for people. Its words may change at any time. */
  detail: string;
  /** Always absent. Only an `unsettled-call` finding of a projection has this field. */
  call_id?: undefined;
  /** Always absent. Only an `unsettled-call` finding of a projection has this field. */
  began?: undefined;
}

/** A function that gets the findings as they are made. */
export type Report = (diagnostic: Diagnostic) => void;

/** Numbers of bytes: `events + damage + blank` is the number of bytes read. */
export interface ByteTally {
  /** Number of all bytes read: the sum of the other three fields. */
  bytes: number;
  /**
   * Number of bytes of events: whole lines, and parts of damaged lines. Includes events with a
   * wrong checksum, and unparsed events.
   */
  events: number;
  /** Number of bytes that belong to no event. Each run of such bytes was reported. */
  damage: number;
  /** Number of bytes of lines that have only white space, with their newlines. */
  blank: number;
}

const DAMAGE: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  "malformed-line",
  "torn-tail",
  "glued-line",
  "nul-run",
  "oversized-line",
  "too-deep",
]);

const FAULT: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  ...DAMAGE,
  "invalid-utf8",
  "checksum-mismatch",
  "seq-gap",
  "seq-repeat",
]);

/** True if the bytes of a finding with this code belong to no event, and count as damage. */
export function isDamage(code: DiagnosticCode): boolean {
  return DAMAGE.has(code);
}

/**
 * True if a finding with this code means that bytes were lost or changed. Other codes mean data
 * unknown to this version, or an agent that was stopped.
 */
export function isFault(code: DiagnosticCode): boolean {
  return FAULT.has(code);
}
