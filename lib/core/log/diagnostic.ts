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

/** A finding about a log: code, place, and a text for people. */
export interface Diagnostic extends LinePosition {
  /** The code of the finding. Programs may rely on it. */
  code: DiagnosticCode;
  /** The finding, for people: its words may change at any time. */
  detail: string;
  /** Always absent: the finding of an unsettled call has it. */
  call_id?: undefined;
  /** Always absent: the finding of an unsettled call has it. */
  began?: undefined;
}

/** A function that gets the findings as they are made. */
export type Report = (diagnostic: Diagnostic) => void;

/** The number of bytes of each sort: `events + damage + blank` is the number of bytes read. */
export interface ByteTally {
  /** Number of all bytes read: the sum of the other three fields. */
  bytes: number;
  /** Bytes of lines, or pieces of lines, that are events, marked ones and unparsed ones too. */
  events: number;
  /** Bytes that are no event's; each stretch of them was reported. */
  damage: number;
  /** Bytes of lines of nothing but white space, their newlines included. */
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

/**
 * True if the bytes of such a finding belong to no event: they count as damage.
 */
export function isDamage(code: DiagnosticCode): boolean {
  return DAMAGE.has(code);
}

/**
 * True if such a finding means that bytes were lost or changed. The others tell of something this
 * version does not know, or of an agent that was stopped.
 */
export function isFault(code: DiagnosticCode): boolean {
  return FAULT.has(code);
}
