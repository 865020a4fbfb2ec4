import assert from "node:assert/strict";
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { blockOfItem } from "../../../lib/text/render/block/block_maker.ts";
import { htmlDocument } from "../../../lib/text/render/html_document.ts";
import { markdownDocument } from "../../../lib/text/render/markdown_document.ts";
import type { ToolDetail } from "../../../lib/text/render/block/block.ts";
import { textDocument } from "../../../lib/text/render/text_document.ts";
import { itemsInto } from "./_document_items.ts";

const BASE = { seq: 4, integrity: "verified" } as const;
const CALL = { call_id: "c1", name: "CALLED" } as const;

/** Every item that may tell of a call: what it gave is OUTPUT, that it was made CALLED. */
const ITEMS: readonly TranscriptItem[] = [
  { type: "tool", ...BASE, ...CALL, status: "ok", output: "OUTPUT", error: "OUTPUT" },
  { type: "bash", ...BASE, call_id: "c2", command: "CALLED", status: "ok", output: "OUTPUT" },
  { type: "diff", ...BASE, path: "CALLED", lines: [{ kind: "added", content: "OUTPUT" }] },
  {
    type: "message",
    ...BASE,
    role: "assistant",
    content: [
      { type: "text", text: "SAID" },
      { type: "tool_call", ...CALL, input: {} },
      { type: "tool_result", ...CALL, status: "ok", output: "OUTPUT" },
    ],
  },
  { type: "unreadable", ...BASE, kind: "tool_end", reason: "odd", payload: { output: "OUTPUT" } },
  { type: "extension", ...BASE, agent: "CALLED", name: "x", data: { output: "OUTPUT" } },
];

const DOCUMENTS = { html: htmlDocument, markdown: markdownDocument, text: textDocument };

Deno.test("every document shows as much of calls as is wanted, whatever item tells of them", () => {
  for (const [name, document] of Object.entries(DOCUMENTS)) {
    const shown = (tools: ToolDetail): boolean[] => {
      const made = document({ tools });
      const text = ITEMS.map(itemsInto(made, tools)).join("");
      return ["OUTPUT", "CALLED", "SAID"].map((word) => text.includes(word));
    };
    assert.deepEqual(shown("full"), [true, true, true], name);
    assert.deepEqual(shown("brief"), [false, true, true], name);
    assert.deepEqual(shown("none"), [false, false, true], name);
  }
});

Deno.test("an answer that only called tools is left out with them; all else of it stays", () => {
  const [, , , said] = ITEMS;
  assert.ok(said?.type === "message" && typeof said.content !== "string");
  const calls = { ...said, content: said.content.slice(1) };
  assert.equal(blockOfItem(calls, { tools: "none" }), undefined);
  const shown = (item: TranscriptItem, tools: ToolDetail): string[] | undefined => {
    const block = blockOfItem(item, { tools });
    return block?.type === "message" ? block.content.map(({ type }) => type) : undefined;
  };
  assert.deepEqual(shown(calls, "full"), ["call", "call"]);
  assert.deepEqual(shown({ ...calls, interrupted: true }, "none"), ["notice"]);
});

Deno.test("a change whose lines are left out is not said to be of no lines", () => {
  const change = ITEMS.filter(({ type }) => type === "diff");
  const text = (tools: ToolDetail): string =>
    change.map(itemsInto(textDocument({ tools }), tools)).join("");
  assert.match(text("full"), /CALLED {2}\+1 -0/);
  assert.match(text("brief"), /CALLED {2}\+1 -0\n$/m);
});
