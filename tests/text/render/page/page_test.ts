import assert from "node:assert/strict";
import { cutJsonLine, lastLines, Page } from "../../../../lib/text/render/page/page.ts";
import { mulberry32 } from "../../../_support/mulberry32.ts";

const PIECES = ["word ", "line\n", "🐟", "\u202e", "é", '"', "\\", "\n\n", "x".repeat(40)];

function randomItems(random: () => number): string[] {
  return Array.from({ length: 1 + Math.floor(random() * 12) }, () => {
    const count = Math.floor(random() ** 3 * 60);
    const text = Array.from(
      { length: count },
      () => PIECES[Math.floor(random() * PIECES.length)],
    ).join("");
    return `${text}\n`;
  });
}

/** All pages of some items, each made from the place that the one before gave. */
function pagesOf(items: readonly string[], room: number, cut?: typeof cutJsonLine): string[] {
  const pages: string[] = [];
  let place: Page["next"] = { item: 0, offset: 0 };
  while (place !== undefined) {
    const page: Page = new Page(room, cut);
    const { item, offset }: NonNullable<Page["next"]> = place;
    for (let at = item; at < items.length; at++) {
      if (!page.add(at, items[at] ?? "", at === item ? offset : 0)) break;
    }
    assert.ok(page.text.length <= room, `${page.text.length} > ${room}`);
    pages.push(page.text);
    const next: Page["next"] = page.next;
    assert.ok(next === undefined || next.item > item || next.offset > offset, "it goes on");
    place = next;
  }
  return pages;
}

Deno.test("pages joined are the whole, however long the items and the pages", () => {
  const random = mulberry32(15);
  for (let round = 0; round < 300; round++) {
    const items = randomItems(random);
    const room = 8 + Math.floor(random() ** 2 * 400);
    const pages = pagesOf(items, room);
    assert.equal(pages.join(""), items.join(""));
    for (const page of pages) assert.ok(page.isWellFormed(), "no character is cut in two");
  }
});

Deno.test("lines of JSON that are too long come in parts, each a line of JSON", () => {
  const random = mulberry32(16);
  for (let round = 0; round < 200; round++) {
    const items = randomItems(random).map((text) => `${JSON.stringify({ text })}\n`);
    const pages = pagesOf(items, 60 + Math.floor(random() * 300), cutJsonLine);
    let whole = "";
    for (const line of pages.join("").trimEnd().split("\n")) {
      const value = JSON.parse(line);
      whole += "part" in value ? value.part : `${line}\n`;
    }
    assert.equal(whole, items.join(""));
  }
});

Deno.test("a page ends between items where one fits, else behind a line or a word", () => {
  const page = new Page(30);
  assert.equal(page.add(0, "one\n"), true);
  assert.equal(page.add(1, "a line that is too long for the page\n"), false);
  assert.deepEqual([page.text, page.next, page.left], ["one\n", { item: 1, offset: 0 }, 0]);
  const long = new Page(30);
  assert.equal(long.add(1, "a line that is too long for the page\n"), false);
  assert.deepEqual([long.text, long.next, long.left], [
    ...["a line that is too long for ", { item: 1, offset: 28 }, 9],
  ]);
});

Deno.test("the last line says how to go on, and what is left of a cut item", () => {
  assert.equal(lastLines(undefined, 0, "text"), "");
  assert.equal(lastLines("list:0:1", 0, "text"), "more: --cursor list:0:1\n");
  assert.match(lastLines("c", 9, "text"), /^\n\[9 more characters of this item .*\]\nmore: /);
  assert.equal(lastLines("c", 9, "json"), '{"cursor":"c"}\n');
});
