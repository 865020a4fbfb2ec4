/**
 * What reading finds wrong inside a log. Findings are values, never errors.
 *
 * @module
 */
import type { LinePosition } from "../event/envelope.ts";

/** Stable code of a finding. */
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
  | "stale-checkpoint"
  | "missing-header";

/** One finding: what, where, and a few words. */
export interface Diagnostic extends LinePosition {
  code: DiagnosticCode;
  detail: string;
}

/** Takes findings as they come. */
export type Report = (diagnostic: Diagnostic) => void;

/** Bytes by what they are: `events + damage + blank` is the size of what was read. */
export interface ByteTally {
  bytes: number;
  events: number;
  damage: number;
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

/** Whether the bytes of such a finding are no event's: they count as damage. */
export function isDamage(code: DiagnosticCode): boolean {
  return DAMAGE.has(code);
}

/**
 * Whether such a finding means that bytes were lost or changed. The others tell of something this
 * version does not know, or of an agent that was stopped.
 */
export function isFault(code: DiagnosticCode): boolean {
  return FAULT.has(code);
}
