import assert from "node:assert/strict";
import { SOURCES, withoutComments } from "../_support/source_code.ts";

Deno.test("a file of an adapter has at most 150 lines of code", () => {
  const adapters = [...SOURCES].filter(([path]) => path.startsWith("lib/adapters/"));
  assert.ok(adapters.length >= 5);
  for (const [path, source] of adapters) {
    const code = withoutComments(source).split("\n").filter((line) => line.trim() !== "");
    assert.ok(code.length <= 150, `${path}: ${code.length}`);
  }
});
