import assert from "node:assert/strict";
import type { CallStatus } from "../../../../lib/core/event/message.ts";
import {
  callIds,
  outputText,
  type SettledCall,
  settledCall,
} from "../../../../lib/text/shape/usual/settled_call.ts";

function settled(
  { name = "read", input = {} as unknown, status = "ok" as CallStatus, output = "x" },
): SettledCall {
  return settledCall(
    { type: "tool_call", call_id: "c1", name, input },
    { type: "tool_result", call_id: "c1", name, status, output },
    callIds().unique,
  );
}

Deno.test("settledCall maps names that providers refuse, and a missing one", () => {
  assert.equal(settled({ name: "mcp__github__list-issues" }).name, "mcp__github__list-issues");
  assert.equal(settled({ name: "mcp.read file" }).name, "mcp_read_file");
  assert.equal(settled({ name: "" }).name, "tool");
  assert.equal(settled({ name: "n".repeat(100) }).name, "n".repeat(64));
});

Deno.test("settledCall wraps an input that is no object", () => {
  assert.deepEqual(settled({ input: { path: "a" } }).input, { path: "a" });
  assert.deepEqual(settled({ input: "*** Begin Patch" }).input, { input: "*** Begin Patch" });
  assert.deepEqual(settled({ input: [1] }).input, { input: [1] });
  assert.deepEqual(settled({ input: null }).input, { input: null });
  assert.deepEqual(settled({ input: undefined }).input, {});
});

Deno.test("settledCall says in words what a silent result means", () => {
  const silent = (status: CallStatus) => {
    const { failed, output } = settled({ status, output: " \n" });
    return [failed, outputText(output)];
  };
  assert.deepEqual(silent("ok"), [false, "(no output)"]);
  assert.deepEqual(silent("error"), [true, "(the call failed without a message)"]);
  assert.deepEqual(silent("interrupted"), [true, "(the call was interrupted)"]);
  assert.deepEqual(silent("skipped"), [true, "(the call was skipped)"]);
  assert.equal(outputText(settled({ status: "error", output: "ENOENT " }).output), "ENOENT ");
});

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
