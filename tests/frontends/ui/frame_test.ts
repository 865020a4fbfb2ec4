import assert from "node:assert/strict";
import { type Frame, paintFrame as paint } from "../../../lib/frontends/ui/frame.ts";

/** What is painted, with its escapes to be read. */
function paintFrame(...frames: Parameters<typeof paint>): string {
  return paint(...frames).replaceAll("\x1b", "ESC");
}

const before: Frame = { rows: ["one", "two", "three"] };

Deno.test("a frame is painted whole where nothing is known of the screen", () => {
  const text = paintFrame(undefined, before);
  assert.match(text, /ESC\[HESC\[J.*one.*two.*three/);
});

Deno.test("only rows that differ are painted", () => {
  const text = paintFrame(before, { rows: ["one", "2", "three"] });
  assert.match(text, /ESC\[2;1HESC\[K2/);
  assert.doesNotMatch(text, /one|three/);
});

Deno.test("the same frame paints nothing; a cursor that moves is painted alone", () => {
  assert.equal(paintFrame(before, { rows: [...before.rows] }), "");
  const text = paintFrame(before, { ...before, cursor: { row: 1, column: 4 } });
  assert.match(text, /ESC\[2;5HESC\[\?25h/);
  assert.doesNotMatch(text, /one|two|three/);
});

Deno.test("rows that are gone are cleared", () => {
  assert.match(paintFrame(before, { rows: ["one"] }), /ESC\[2;1HESC\[J/);
});
