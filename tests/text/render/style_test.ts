import assert from "node:assert/strict";
import { createStyle } from "../../../lib/text/render/style.ts";

Deno.test("a style without colour never writes an escape", () => {
  const style = createStyle(false);
  assert.equal(style.color, false);
  assert.equal(style.paint(["bold", "red"], "text"), "text");
});

Deno.test("a style with colour opens and closes every attribute, and leaves empty texts alone", () => {
  const style = createStyle(true);
  const text = style.paint(["bold", "red"], "text");
  assert.deepEqual([...text.matchAll(/\[(\d+)m/g)].map(([, code]) => code).sort(), [
    "1",
    "22",
    "31",
    "39",
  ]);
  assert.equal(style.paint("red", ""), "");
  assert.equal(style.paint([], "text"), "text");
});
