/**
 * Findings of reading a log. They are values, never errors.
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
  | "invalid-branch"
  | "stale-checkpoint"
  | "missing-header"
  | "missing-parent"
  | "parent-cycle";

/** One finding: what, where, and a few words. */
export interface Diagnostic extends LinePosition {
  /** Stable: programs may rely on it. */
  code: DiagnosticCode;
  /** The finding, for people: its words may change at any time. */
  detail: string;
}

/** Takes findings as they come. */
export type Report = (diagnostic: Diagnostic) => void;

/** The number of bytes of each sort: `events + damage + blank` is the number of bytes read. */
export interface ByteTally {
  /** All bytes read: the sum of the three below. */
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
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { isDamage } from "@reprise/reprise/pipeline";
 *
 * assert(isDamage("torn-tail"));
 * assert(!isDamage("seq-gap"));
 * ```
 */
export function isDamage(code: DiagnosticCode): boolean {
  return DAMAGE.has(code);
}

/**
 * True if such a finding means that bytes were lost or changed. The others tell of something this
 * version does not know, or of an agent that was stopped.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { isFault } from "@reprise/reprise/pipeline";
 *
 * assert(isFault("seq-gap"));
 * assert(!isFault("unknown-kind"));
 * ```
 */
export function isFault(code: DiagnosticCode): boolean {
  return FAULT.has(code);
}
