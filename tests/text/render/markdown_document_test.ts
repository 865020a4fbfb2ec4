import assert from "node:assert/strict";
import { marked, type Token, type Tokens } from "npm:marked@18.2.1";
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { markdownDocument } from "../../../lib/text/render/markdown_document.ts";
import { harmlessMarkdown } from "../../../lib/text/render/markdown_document/harmless_markdown.ts";
import type { ToolDetail } from "../../../lib/text/render/block/block.ts";
import type { DocumentHeader } from "../../../lib/text/render/session_document.ts";
import { testCases } from "./_cases.ts";
import { readJson } from "./_data.ts";
import { itemsInto } from "./_document_items.ts";
import { itemsWith } from "./_sample_items.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";

const BASE = { seq: 4, integrity: "verified" } as const;

function markdown(item: TranscriptItem, tools: ToolDetail = "full"): string {
  return itemsInto(markdownDocument(), tools)(item);
}

/** What a viewer would load, run or follow in a text. */
function dangers(text: string): string[] {
  const found: string[] = [];
  marked.walkTokens(marked.lexer(text), (token: Token) => {
    if (token.type === "html") found.push(token.raw);
    if (token.type === "image") found.push(`image ${(token as Tokens.Image).href}`);
    const { href } = token as Tokens.Link;
    if (token.type === "link" && !/^(https?:|mailto:|#)/.test(href)) found.push(href);
  });
  return found;
}

/** A case has an item. */
testCases<{ tools?: ToolDetail }>("markdown_items.txt", (input, { tools }) => {
  return markdown({ ...BASE, ...JSON.parse(input) }, tools);
});

testCases("harmless_markdown.txt", (text) => {
  const shown = harmlessMarkdown(text);
  marked.walkTokens(marked.lexer(shown), (token: Token) => {
    if (token.type === "heading") assert.ok((token as Tokens.Heading).depth > 3, shown);
  });
  return shown;
});

const HOSTILE = [
  ...readJson<string[]>("hostile_markdown.json"),
  "*a_".repeat(ALL_TORTURE ? 3000 : 500) + "![x](http://x)<b>",
  "[".repeat(ALL_TORTURE ? 2000 : 500) + "x](javascript:1)",
];

Deno.test("nothing that somebody wrote becomes HTML, an image that is fetched or a link that runs", () => {
  for (const text of HOSTILE) {
    for (const item of itemsWith(text)) {
      const output = markdown({ ...BASE, ...item });
      assert.deepEqual(dangers(output), [], output);
    }
  }
});

Deno.test("the hostile texts are dangers as they are", () => {
  const dangerous = HOSTILE.filter((text) => dangers(text).length > 0);
  assert.ok(dangerous.length >= 18, `${dangerous.length} of ${HOSTILE.length}`);
});

Deno.test("the parser fails on a text that is shown as it is", () => {
  assert.throws(() => marked.lexer("- a\n  >2)\nb"), TypeError);
});

Deno.test("a fence is longer than any run of backticks in what it holds", () => {
  const output = "````\nnot the end\n````";
  const item = { type: "tool", call_id: "c", name: "read", status: "ok", output, ...BASE } as const;
  const [token] = marked.lexer(markdown(item)).filter(({ type }) => type === "code");
  assert.equal((token as Tokens.Code).text, output);
});

Deno.test("the head says what the session is and that secrets were replaced", () => {
  const header: DocumentHeader = {
    summary: {
      ref: "3f2a",
      agent: "reprise",
      session_id: "3f2a",
      path: "/log",
      title: "Fix <b> *now*",
      cwd: "/home/a`b",
      created_at: "2026-11-21T20:21:53.123Z",
      models: ["m_1"],
      status: "completed",
      archived: false,
    },
    exported_at: "2026-11-22T01:02:03.000Z",
    generator: "reprise 0.1.0",
    redacted: true,
  };
  assert.equal(
    markdownDocument().begin(header),
    "# Fix &lt;b\\> \\*now\\*\n\n- Session: `3f2a`\n- Agent: reprise\n- Directory: ``/home/a`b``\n" +
      "- Created: 2026-11-21 20:21 UTC\n- Models: m\\_1\n" +
      "- Exported: 2026-11-22 01:02 UTC by reprise 0.1.0, secrets redacted\n\n",
  );
});
