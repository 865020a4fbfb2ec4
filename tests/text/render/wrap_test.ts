import { roundsOf } from "../../_support/few_rounds.ts";
import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { textWidth } from "../../../lib/text/render/text_width.ts";
import { createStyle } from "../../../lib/text/render/style.ts";
import { expandTabs, ruleText, wrapCells, wrapWords } from "../../../lib/text/render/wrap.ts";

Deno.test("wrapWords breaks between words and keeps indentation", () => {
  assert.deepEqual(wrapWords("one two three", 8), ["one two", "three"]);
  assert.deepEqual(wrapWords("  one two three", 8), ["  one", "  two", "  three"]);
  assert.deepEqual(wrapWords("a\n\nb", 8), ["a", "", "b"]);
  assert.deepEqual(wrapWords("supercalifragilistic", 8), ["supercal", "ifragili", "stic"]);
  assert.deepEqual(wrapWords("日本語日本", 5), ["日本", "語日", "本"]);
  assert.deepEqual(wrapWords("one two three", Infinity), ["one two three"]);
});

Deno.test("wrapWords closes styles at the end of a row and opens them on the next", () => {
  const { paint } = createStyle(true);
  const text = `${paint(["bold", "red"], "one two three")} four`;
  assert.deepEqual(wrapWords(text, 8), [
    "\x1b[31m\x1b[1mone two\x1b[22m\x1b[39m",
    "\x1b[31m\x1b[1mthree\x1b[22m\x1b[39m",
    "four",
  ]);
});

Deno.test("wrapCells breaks where the width ends and loses nothing", () => {
  assert.deepEqual(wrapCells("  a b  c", 4), ["  a ", "b  c"]);
  assert.deepEqual(wrapCells("日本語", 5), ["日本", "語"]);
  assert.deepEqual(wrapCells("", 5), [""]);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 20 }), (line, width) => {
      const rows = wrapCells(line, width);
      assert.equal(rows.join(""), line);
      for (const row of rows) assert.ok(textWidth(row) <= width);
    }),
    { seed: 7, numRuns: roundsOf(500) },
  );
});

Deno.test("expandTabs fills up to the next stop, by columns", () => {
  assert.equal(expandTabs("a\tb\t\tc", 4), "a   b       c");
  assert.equal(expandTabs("日\tb", 4), "日  b");
  assert.equal(expandTabs("none", 4), "none");
});

Deno.test("ruleText ends somewhere", () => {
  assert.equal(ruleText(5), "─────");
  assert.equal(ruleText(Infinity).length, 80);
});
