import assert from "node:assert/strict";
import { lineMark } from "../../lib/log/line_mark.ts";

Deno.test("a line holds a mark wherever it stands, also across blocks", () => {
  const isMarked = lineMark('"usage"');
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  assert.deepEqual(
    ["", '"usage', '"usage"', 'x"usage"y', '"Usage"'].map((text) => isMarked(encode(text))),
    [
      ...[false, false, true, true, false],
    ],
  );
  for (const before of [65_525, 65_529, 65_530, 65_536, 131_060, 131_070]) {
    assert.ok(isMarked(encode(`${"x".repeat(before)}"usage"`)), `${before}`);
    assert.ok(!isMarked(encode(`${"x".repeat(before)}"usag"`)), `${before}`);
  }
});
