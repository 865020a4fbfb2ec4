import assert from "node:assert/strict";
import { callIds } from "../../lib/shape/call_ids.ts";

Deno.test("callIds keeps an id that providers take, once", () => {
  const uniqueId = callIds().unique;
  assert.deepEqual(
    ["toolu_01-A", "c1", "c1", "c1_2", "c1", "c1_2"].map(uniqueId),
    ["toolu_01-A", "c1", "c1_2", "c1_2_2", "c1_3", "c1_2_3"],
  );
});

Deno.test("callIds makes ids of what providers refuse", () => {
  const uniqueId = callIds().unique;
  assert.deepEqual(
    ["call|fc", "call fc", "", "", "é"].map(uniqueId),
    ["call_fc", "call_fc_2", "call", "call_2", "_"],
  );
  const long = "x".repeat(90);
  assert.equal(uniqueId(long), "x".repeat(40));
  assert.equal(uniqueId(long), "x".repeat(38) + "_2");
  assert.equal(uniqueId(long + "y"), "x".repeat(38) + "_3");
});

Deno.test("callIds gives out a great many of one id without growing slow", () => {
  const uniqueId = callIds().unique;
  const given = new Set<string>();
  for (let index = 0; index < 100_000; index++) given.add(uniqueId("call_0"));
  assert.equal(given.size, 100_000);
});
