/** The form of the pages that people read: short cells of tables, and sentences that can be drawn. */
import assert from "node:assert/strict";
import { projectPages, sentencesOf, tableCells } from "./_support/page_sentences.ts";

const MOST_CHARACTERS = 200;

/** Lists cells that are too long to be read in a table, each with its page and line. */
function longCells(page: string, name: string): string[] {
  return page.split("\n").flatMap((line, index) =>
    tableCells(line).filter((cell) => cell.length > MOST_CHARACTERS)
      .map((cell) => `${name}:${index + 1} ${cell.slice(0, 60)}`)
  );
}

Deno.test("no cell of a table on a page is longer than 200 characters", () => {
  const pages = [...projectPages()];
  assert.ok(pages.length > 12, `${pages.length}`);
  assert.deepEqual(pages.flatMap(([name, text]) => longCells(text, name)), []);
  const long = "x".repeat(MOST_CHARACTERS);
  assert.deepEqual(longCells(`| a | ${long} |\n| --- | ${"-".repeat(300)} |`, "p"), []);
  assert.deepEqual(longCells(`| a \\| b | ${long}y |`, "p").length, 1);
});

Deno.test("pages for users lead to no records of decisions", () => {
  const ours =
    /^(?:README|\.github\/(?:USAGE|REFERENCE|SECURITY|SUPPORTED_AGENTS|TEAMS|LIBRARY))\.md$/;
  const pages = [...projectPages()].filter(([name]) => ours.test(name));
  assert.equal(pages.length, 7);
  for (const [name, text] of pages) assert.doesNotMatch(text, /decisions\/\d/, name);
});

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
    "| heads | of columns | n |",
    "| --- | --- | --- |",
    "| a cell \\| bar | Other words here | 7 MB |",
  ].join("\n");
  assert.deepEqual(sentencesOf(page, "p").map(({ text }) => text), [
    "One line that goes on.",
    "**Bold ends.**",
    "`code` begins one, e.g. this.",
    "Version 1.2 is no end.",
    "An item (with more).",
    "And a second.",
    "heads: a cell \\| bar",
    "a cell \\| bar | of columns: Other words here",
  ]);
  assert.equal(sentencesOf(page, "p").at(0)?.where, "p, Title");
});
