import assert from "node:assert/strict";
import { type DiagnosticCode, isDamage, isFault } from "../../../lib/core/log/diagnostic.ts";

/** Every code: whether its bytes are no event's, whether bytes were lost or changed. */
const TABLE: Record<DiagnosticCode, "damage" | "fault" | "note"> = {
  "malformed-line": "damage",
  "torn-tail": "damage",
  "glued-line": "damage",
  "nul-run": "damage",
  "oversized-line": "damage",
  "too-deep": "damage",
  "invalid-utf8": "fault",
  "checksum-mismatch": "fault",
  "seq-gap": "fault",
  "seq-repeat": "fault",
  "unknown-kind": "note",
  "invalid-payload": "note",
  "unsupported-version": "note",
  "orphan-settlement": "note",
  "unsettled-call": "note",
  "invalid-compaction": "note",
  "invalid-branch": "note",
  "stale-checkpoint": "note",
  "missing-header": "note",
  "missing-parent": "note",
  "parent-cycle": "note",
};

Deno.test("isDamage and isFault decide on every code; damage is always a fault", () => {
  for (const [code, what] of Object.entries(TABLE) as [DiagnosticCode, string][]) {
    assert.equal(isDamage(code), what === "damage", code);
    assert.equal(isFault(code), what !== "note", code);
  }
});
