import assert from "node:assert/strict";
import { changedLines } from "../../../../lib/agents/engine/events/unified_diff.ts";

function inShort(before: string, after: string): string[] {
  const signs = { hunk: "", context: " ", added: "+", removed: "-" };
  return changedLines(before, after).map(({ kind, content }) => signs[kind] + content);
}

Deno.test("changedLines shows the changed lines with three lines around them", () => {
  assert.deepEqual(
    inShort("1\n2\n3\n4\nold\n6\n7\n8\n9\n", "1\n2\n3\n4\nnew\nmore\n6\n7\n8\n9\n"),
    [
      "@@ -2,7 +2,8 @@",
      ...[" 2", " 3", " 4", "-old", "+new", "+more", " 6", " 7", " 8"],
    ],
  );
});

Deno.test("changedLines shows new files, emptied files and repeated lines", () => {
  assert.deepEqual(inShort("", "a\nb\n"), ["@@ -1,0 +1,2 @@", "+a", "+b"]);
  assert.deepEqual(inShort("a\n", ""), ["@@ -1,1 +1,0 @@", "-a"]);
  assert.deepEqual(inShort("a\na\n", "a\na\na\n"), ["@@ -1,2 +1,3 @@", " a", " a", "+a"]);
  assert.deepEqual(inShort("a\n", "a\n"), []);
});
