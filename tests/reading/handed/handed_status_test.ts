import assert from "node:assert/strict";
import { handedStatus } from "../../../lib/reading/handed/handed_status.ts";

Deno.test("a record says how a call that was handed over ended", () => {
  const calls = { c1: { id: "x", name: "y", status: "skipped" }, c2: { status: "fine" }, c3: null };
  const record = { reprise: { from: "pi:1", calls } };
  assert.equal(handedStatus(record, "c1"), "skipped");
  for (const id of ["c2", "c3", "c4", "constructor", "__proto__"]) {
    assert.equal(handedStatus(record, id), undefined);
  }
  for (const reprise of [null, 1, "x", [], {}, { calls: [] }]) {
    assert.equal(handedStatus({ reprise }, "c1"), undefined);
  }
  assert.equal(handedStatus({}, "c1"), undefined);
});
