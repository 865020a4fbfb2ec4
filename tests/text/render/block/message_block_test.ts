import assert from "node:assert/strict";
import { blockOfItem } from "../../../../lib/text/render/block/block_maker.ts";
import { blockText } from "../../../../lib/text/render/block/block_text.ts";
import { blockHtml } from "../../../../lib/text/render/html_document/block.ts";
import { createView } from "../../../../lib/text/render/html_document/view.ts";
import { blockMarkdown } from "../../../../lib/text/render/markdown_document.ts";
import { createStyle } from "../../../../lib/text/render/style.ts";
import { printBlock } from "../../../../lib/text/render/terminal.ts";

const ITEM = {
  type: "attached",
  seq: 3,
  integrity: "verified",
  name: "/w/docs/notes.txt",
  content: "zebrafish\nplan\n",
} as const;
const BLOCK = blockOfItem(ITEM, { cwd: "/w" });
const VIEW = { width: 60, style: createStyle(false) };

Deno.test("an attached text is one line, and with all shown its content", () => {
  assert.ok(BLOCK !== undefined);
  assert.deepEqual(printBlock(BLOCK, VIEW), ["attached docs/notes.txt, 2 lines"]);
  assert.deepEqual(printBlock(BLOCK, { ...VIEW, full: true }), [
    "attached docs/notes.txt, 2 lines",
    "  zebrafish",
    "  plan",
  ]);
  assert.equal(blockText(BLOCK), "docs/notes.txt, 2 lines\nzebrafish\nplan");
});

Deno.test("documents fold what is attached", () => {
  assert.ok(BLOCK !== undefined);
  const { markup } = blockHtml(BLOCK, createView({ tools: "full" }));
  assert.match(markup, /<details[^>]*><summary>.*Attached.*docs\/notes\.txt, 2 lines.*<\/summary>/);
  assert.match(markup, /zebrafish/);
  assert.equal(
    blockMarkdown(BLOCK),
    "<details><summary>Attached docs/notes.txt, 2 lines</summary>\n\n" +
      "```txt\nzebrafish\nplan\n```\n\n</details>\n",
  );
});

Deno.test("lines that are nothing but a tag are not counted", () => {
  const content = "<system-reminder>\nBe brief.\n</system-reminder>";
  const block = blockOfItem({ ...ITEM, name: "reminder", content });
  assert.equal(block?.type === "attached" && block.lines, 1);
});

Deno.test("a notice says what it is, and an error is marked", () => {
  const notice = {
    type: "notice",
    seq: 4,
    integrity: "verified",
    title: "API error",
    text: "529",
  } as const;
  const block = blockOfItem({ ...notice, level: "error" });
  assert.ok(block !== undefined);
  assert.deepEqual(printBlock(block, VIEW), ["✗ API error: 529"]);
});
