import assert from "node:assert/strict";
import { editedText } from "../../lib/screen/edited_text.ts";

Deno.test("keys type, take away a character, a word or all; others edit nothing", () => {
  assert.equal(editedText("ab", { text: "学" }), "ab学");
  assert.equal(editedText("a👨‍👩‍👧", { name: "backspace" }), "a");
  assert.equal(editedText("", { name: "backspace" }), "");
  assert.equal(editedText("fix the page ", { name: "w", ctrl: true }), "fix the ");
  assert.equal(editedText("fix the page", { name: "u", ctrl: true }), "");
  assert.equal(editedText("ab", { name: "up" }), undefined);
  assert.equal(editedText("ab", { text: "x", meta: true }), undefined);
});
