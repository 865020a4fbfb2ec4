import assert from "node:assert/strict";
import type { DiffLine } from "../../../../lib/core/event/payload.ts";
import { type DiffRow, diffRows } from "../../../../lib/text/render/html_document/diff.ts";

function lines(...texts: string[]): DiffLine[] {
  const kinds = { " ": "context", "+": "added", "-": "removed", "@": "hunk" } as const;
  return texts.map((text) => ({
    kind: kinds[text[0] as keyof typeof kinds],
    content: text.slice(1),
  }));
}

function shown(row: DiffRow): string {
  if ("hunk" in row) return `@${row.hunk}`;
  return `${row.before?.content ?? "∅"} | ${row.after?.content ?? "∅"}`;
}

Deno.test("removed lines stand beside the lines that replace them", () => {
  const change = lines("@h", " a", "-b", "-c", "+B", " d", "+e", "-f", "+F", "+G");
  assert.deepEqual(diffRows(change).map(shown), [
    "@h",
    "a | a",
    "b | B",
    "c | ∅",
    "d | d",
    "∅ | e",
    "f | F",
    "∅ | G",
  ]);
  assert.deepEqual(diffRows([]), []);
});

Deno.test("every line of a change stands in one row", () => {
  const change = lines("+a", "-b", "@", "-c", "-d", "+e", "-f", " g");
  const rows = diffRows(change).flatMap((row) =>
    "hunk" in row ? 1 : new Set([row.before, row.after].filter((line) => line !== undefined)).size
  );
  assert.equal(rows.reduce((sum, count) => sum + count, 0), change.length);
});
