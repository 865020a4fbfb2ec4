/** The form of the pages that people read: sentences that can be drawn. */
import assert from "node:assert/strict";
import { sentencesOf } from "./_support/page_sentences.ts";

Deno.test("the sentences of a page are those of its text, lists and cells, without its code", () => {
  const page = [
    "# Title",
    "",
    "One line that",
    "goes on. **Bold ends.** `code` begins one, e.g. this. Version 1.2 is no end.",
    "",
    "- An item (with",
    "  more). And a second.",
    "",
    "```sh",
    "not this. Nor that.",
    "```",
    "",
    "| heads | of columns |",
    "| ----- | ---------- |",
    "| a cell \\| bar | Other. Cell |",
  ].join("\n");
  assert.deepEqual(sentencesOf(page, "p").map(({ text }) => text), [
    "One line that goes on.",
    "**Bold ends.**",
    "`code` begins one, e.g. this.",
    "Version 1.2 is no end.",
    "An item (with more).",
    "And a second.",
    "a cell \\| bar",
    "a cell \\| bar | Other. Cell",
  ]);
  assert.equal(sentencesOf(page, "p").at(0)?.where, "p, Title");
});
