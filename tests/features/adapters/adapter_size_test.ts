import assert from "node:assert/strict";
import { edges, SOURCES, withoutComments } from "../../_support/source_code.ts";

const ADAPTERS = ["agents_session", "claude_session_store", "ui_messages"];

/** A file with those of its folder that it imports, however far; the queue is shared by all. */
function filesOf(path: string): Set<string> {
  const files = new Set([path]);
  for (const file of files) {
    for (const { from, to } of edges(SOURCES)) {
      if (from !== file || !to.startsWith("lib/features/adapters/")) continue;
      if (!to.endsWith("/in_order.ts")) files.add(to);
    }
  }
  return files;
}

for (const name of ADAPTERS) {
  Deno.test(`the adapter ${name} has at most 150 lines of code, with all its files`, () => {
    const files = [...filesOf(`lib/features/adapters/${name}.ts`)];
    const lines = files.flatMap((file) =>
      withoutComments(SOURCES.get(file) ?? "").split("\n").filter((line) => line.trim() !== "")
    );
    assert.ok(lines.length > 20, `${lines.length}`);
    assert.ok(lines.length <= 150, `${files.join(", ")}: ${lines.length}`);
  });
}
