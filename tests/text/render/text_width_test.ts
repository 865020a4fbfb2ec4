import assert from "node:assert/strict";
import stringWidth from "npm:fast-string-width@3.0.2";
import {
  cutStart,
  cutText,
  padText,
  takeStart,
  textWidth,
} from "../../../lib/text/render/text_width.ts";

Deno.test("textWidth counts columns, not characters", () => {
  const cases: [string, number][] = [
    ["", 0],
    ["plain", 5],
    ["日本語", 6],
    ["e\u0301", 1],
    ["👨‍👩‍👧", 2],
    ["🇯🇵", 2],
    ["\x1b[31mred\x1b[39m", 3],
    ["␛…·│", 4],
  ];
  for (const [text, width] of cases) assert.equal(textWidth(text), width, text);
});

Deno.test("characters that are counted without a look have one column each", () => {
  for (let code = 0x20; code < 0x2100; code++) {
    const character = String.fromCharCode(code);
    // Controls are made visible before anything is measured.
    if (code >= 0x7f && code < 0xa0) continue;
    assert.equal(textWidth(character), stringWidth(character), code.toString(16));
  }
});

Deno.test("cutText keeps what fits and ends in an ellipsis that fits too", () => {
  assert.equal(cutText("short", 5), "short");
  assert.equal(cutText("longer", 5), "long…");
  assert.equal(cutText("a b c d", 4), "a b…".slice(0, 4));
  assert.equal(cutText("日本語", 5), "日本…");
  assert.equal(cutText("日本語", 4), "日…");
  assert.equal(cutText("👨‍👩‍👧", 2), "👨‍👩‍👧");
  assert.equal(cutText("text", 0), "");
  assert.equal(cutText("text", Infinity), "text");
  assert.equal(cutText("x".repeat(1_000_000), 10), "x".repeat(9) + "…");
});

Deno.test("cutStart keeps the end of a path", () => {
  assert.equal(cutStart("/home/ana/login", 8), "…a/login");
  assert.equal(cutStart("/日本語", 5), "…本語");
  assert.equal(cutStart("/a", 2), "/a");
  assert.equal(cutStart("/abc", 0), "");
});

Deno.test("takeStart takes whole characters", () => {
  assert.equal(takeStart("日本語", 3), "日");
  assert.equal(takeStart("abc", 10), "abc");
});

Deno.test("padText fills by columns", () => {
  assert.equal(padText("日本", 6), "日本  ");
  assert.equal(padText("日本", 6, "right"), "  日本");
  assert.equal(padText("日本", 7, "center"), " 日本  ");
  assert.equal(padText("too long", 3), "too long");
});
