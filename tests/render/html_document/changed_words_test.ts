import assert from "node:assert/strict";
import {
  createChangedWords,
  type Stretch,
} from "../../../lib/render/html_document/changed_words.ts";

function marked(stretches: readonly Stretch[] | undefined): string | undefined {
  return stretches?.map(({ text, changed }) => changed ? `[${text}]` : text).join("");
}

Deno.test("changed words are found within a line that stays the same line", () => {
  const words = createChangedWords()("return a + b;", "return a - b;");
  assert.equal(marked(words?.before), "return a [+] b;");
  assert.equal(marked(words?.after), "return a [-] b;");
});

Deno.test("lines that share little, and long ones, are not compared", () => {
  const find = createChangedWords();
  assert.equal(find("one two three", "four five six"), undefined);
  assert.equal(find("x ".repeat(201), "x ".repeat(202)), undefined);
  assert.notEqual(find("x ".repeat(100), "x ".repeat(101)), undefined);
});

Deno.test("after 256 KB of a document no line is compared", () => {
  const find = createChangedWords();
  const line = "word ".repeat(60);
  let compared = 0;
  while (find(`${line}a`, `${line}b`) !== undefined) compared++;
  assert.equal(compared, Math.ceil(256 * 1024 / 602));
});
