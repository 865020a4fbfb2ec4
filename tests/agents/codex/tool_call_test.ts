import assert from "node:assert/strict";
import { patchDiffs, recordedDiffs } from "../../../lib/agents/codex/tool_call.ts";

Deno.test("recorded changes become diffs, in the form of every version", () => {
  const update = {
    unified_diff: "@@ -2 +2,2 @@\n-old\n+new\n+more\n\\ No newline",
    move_path: null,
  };
  const lines = [
    { kind: "hunk", content: "@@ -2 +2,2 @@" },
    { kind: "removed", old: 2, content: "old" },
    { kind: "added", new: 2, content: "new" },
    { kind: "added", new: 3, content: "more" },
  ];
  assert.deepEqual(recordedDiffs({ a: { type: "update", ...update } }, "c1"), [
    { call_id: "c1", path: "a", lines },
  ]);
  assert.deepEqual(recordedDiffs({ a: { update: { ...update, move_path: "b" } } }, undefined), [
    { path: "b", lines },
  ]);
  assert.deepEqual(recordedDiffs({ a: { type: "delete", content: "x\ny\n" } }, "c1")[0]?.lines, [
    { kind: "removed", old: 1, content: "x" },
    { kind: "removed", old: 2, content: "y" },
  ]);
  assert.deepEqual(recordedDiffs("nothing", "c1"), []);
});

Deno.test("a patch becomes one diff a file", () => {
  const patch = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@ x\n one\n-two\n+2\n" +
    "*** End of File\n*** Delete File: c\n*** End Patch";
  assert.deepEqual(patchDiffs(patch, "c1"), [
    {
      call_id: "c1",
      path: "b",
      lines: [
        { kind: "hunk", content: "@@ x" },
        { kind: "context", content: "one" },
        { kind: "removed", content: "two" },
        { kind: "added", content: "2" },
      ],
    },
    { call_id: "c1", path: "c", lines: [] },
  ]);
  const [update, add] = patchDiffs("*** Update File: a\n+1\n*** Add File: b\n+1", "c1");
  const added = { kind: "added", content: "1" };
  assert.deepEqual([update?.lines, add?.lines], [[{ kind: "hunk", content: "@@" }, added], [
    added,
  ]]);
  assert.deepEqual(patchDiffs("no patch", "c1"), []);
});
