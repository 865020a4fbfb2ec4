import assert from "node:assert/strict";
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { htmlDocument } from "../../../lib/text/render/html_document.ts";
import { markdownDocument } from "../../../lib/text/render/markdown_document.ts";
import { renderItem } from "./_render_item.ts";
import { textDocument } from "../../../lib/text/render/text_document.ts";
import { itemsInto } from "./_document_items.ts";

const BASE = { seq: 3, integrity: "verified" } as const;
const TERMINAL = { width: 80, color: false, full: true };

const shot: TranscriptItem = {
  type: "tool",
  ...BASE,
  call_id: "c1",
  name: "screenshot",
  input: {},
  status: "ok",
  output: [
    { type: "text", text: "The page has loaded.\x1b[31m" },
    { type: "json", value: { width: 1280 } },
    { type: "image", media_type: "image/png", data: "AAAA", sha256: "", bytes: 3 },
  ],
};

const replaced: TranscriptItem = {
  type: "replaced",
  ...BASE,
  reason: "history\x1b[31m edited",
  messages: 12,
};

function inText(item: TranscriptItem): string[] {
  return [
    renderItem(item, TERMINAL),
    itemsInto(textDocument({ tools: "full" }))(item),
    itemsInto(markdownDocument())(item),
  ];
}

Deno.test("an output of parts shows its texts, its values and a line for each image", () => {
  for (const text of inText(shot)) {
    assert.match(text, /The page has loaded\./);
    assert.match(text, /"width": 1280/);
    assert.match(text, /\[image image\/png 3 B\\?\]/);
    assert.ok(!text.includes("\x1b"), "nothing of it reaches the terminal");
  }
});

Deno.test("an HTML page shows the images of an output where they stand", () => {
  const take = itemsInto(htmlDocument({ tools: "full" }));
  assert.match(take(shot), /<img src="data:image\/png;base64,AAAA"/);
  const svg = { type: "image", media_type: "image/svg+xml", data: "AAAA", sha256: "", bytes: 3 };
  const hostile = { ...shot, output: [svg] } as TranscriptItem;
  assert.ok(!take(hostile).includes("<img"));
  assert.ok(!itemsInto(htmlDocument({ tools: "none" }), "none")(shot).includes("<img"));
});

Deno.test("a replaced conversation is one line that is no compaction", () => {
  for (const text of [...inText(replaced), itemsInto(htmlDocument({ tools: "full" }))(replaced)]) {
    assert.match(text, /conversation replaced: history.{0,6} edited \(12 messages\)/);
    assert.ok(!/compact/i.test(text));
    assert.ok(!text.includes("\x1b"));
  }
  assert.equal(renderItem(replaced, TERMINAL).trimEnd().split("\n").length, 1);
});
