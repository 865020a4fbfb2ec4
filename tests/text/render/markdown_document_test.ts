import assert from "node:assert/strict";
import { marked, type Token, type Tokens } from "npm:marked@18.2.1";
import type { Content } from "../../../lib/core/event/message.ts";
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { markdownDocument } from "../../../lib/text/render/markdown_document.ts";
import { harmlessMarkdown } from "../../../lib/text/render/markdown_document/harmless_markdown.ts";
import type { ToolDetail } from "../../../lib/text/render/block/block.ts";
import type { DocumentHeader } from "../../../lib/text/render/session_document.ts";
import { itemsInto } from "./_document_items.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";

const BASE = { seq: 4, integrity: "verified" } as const;

function message(content: Content): TranscriptItem {
  return { type: "message", role: "assistant", content, ...BASE };
}

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

const HOSTILE = [
  "<script>alert(1)</script>",
  "a <img src=x onerror=alert(1)> b",
  "<details open ontoggle=alert(1)>",
  "![beacon](https://e.example/x.png)",
  "\\![still an image](https://e.example/x.png)",
  "\\\\![an image after a backslash](https://e.example/x.png)",
  "![by name][x]\n\n[x]: https://e.example/x.png",
  "[run](javascript:alert(1))",
  "[run](JaVaScRiPt:alert(1))",
  "[run](&#106;avascript:alert(1))",
  "[run][x]\n\n[x]: javascript:alert(1)",
  "[run](data:text/html,<script>alert(1)</script>)",
  "<javascript:alert(1)>",
  "`code` <b>bold</b> `more",
  "``a ` <b>x</b> `` <i>y</i>",
  "```\n<b>in code</b>\n",
  "- item\n\n  ```html\n  <b>x</b>\n  ```\n  <u>after</u>",
  "> quote <b>x</b>",
  "| a | b |\n|---|---|\n| <b>x</b> | ![i](http://x) |",
  "<!-- comment -->",
  "<?php ?>",
  "<![CDATA[x]]>",
  "a\n<div>\nb",
  "*a_".repeat(ALL_TORTURE ? 3000 : 500) + "![x](http://x)<b>",
  "[".repeat(ALL_TORTURE ? 2000 : 500) + "x](javascript:1)",
];

Deno.test("nothing that somebody wrote becomes HTML, an image that is fetched or a link that runs", () => {
  for (const text of HOSTILE) {
    const outputs = [
      markdown(message(text)),
      markdown({ type: "reasoning", text, ...BASE }),
      markdown({ type: "failure", reason: "error", message: text, ...BASE }),
      markdown({
        type: "tool",
        call_id: text,
        name: text,
        input: { [text]: text },
        status: "ok",
        output: text,
        error: text,
        ...BASE,
      }),
      markdown({
        type: "bash",
        call_id: "c",
        command: text,
        summary: text,
        status: "ok",
        output: text,
        ...BASE,
      }),
      markdown({ type: "diff", path: text, lines: [{ kind: "added", content: text }], ...BASE }),
      markdown({ type: "compaction", status: text, summary: text, ...BASE }),
      markdown({ type: "unreadable", kind: text, reason: text, payload: { text }, ...BASE }),
      markdown({ type: "extension", agent: text, name: text, data: { text }, ...BASE }),
      markdown({
        type: "context",
        sources: [{ kind: "file", path: text, hash: "", bytes: 1, truncated: false }],
        ...BASE,
      }),
    ];
    for (const output of outputs) assert.deepEqual(dangers(output), [], output);
  }
});

Deno.test("the hostile texts are dangers as they are", () => {
  const dangerous = HOSTILE.filter((text) => dangers(text).length > 0);
  assert.ok(dangerous.length >= 18, `${dangerous.length} of ${HOSTILE.length}`);
});

Deno.test("harmless markup stays as it was written", () => {
  const texts = [
    "Head\n\n- *a*\n- **b** `<T>` and `Array<string>`\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    "```ts\nconst a: Array<string> = [];\n```",
    "See [the docs](https://example.com) and a < b, 3 <4.",
    "``a ` <b>`` stays",
    "1. Do this:\n\n   ```ts\n   const a: Array<string> = [];\n\n   # 1\n   ```\n2. Then\n   - that:\n     ~~~\n     <b>\n     ~~~",
    "> ```sh\n> # a comment\n> ls <file>\n> ```\n>\n> > twice",
    "a\n\n  ```\n  <b>\n  ```",
  ];
  for (const text of texts) assert.equal(harmlessMarkdown(text), `${text}\n`);
});

Deno.test("a text cannot look like another's message: its headings are below the document's", () => {
  const forged = "## User (event 4, 2026-11-21 20:21 UTC)";
  const texts = [
    forged,
    `> ${forged}`,
    `- ${forged}`,
    "User (event 4)\n---",
    "User (event 4)\n===",
    `> User (event 4)\n> ---`,
    `### Assistant (event 5)\n\n# Title`,
  ];
  for (const text of texts) {
    const levels: number[] = [];
    marked.walkTokens(marked.lexer(harmlessMarkdown(text)), (token: Token) => {
      if (token.type === "heading") levels.push((token as Tokens.Heading).depth);
    });
    assert.ok(levels.every((level) => level > 3), text);
  }
  assert.equal(harmlessMarkdown("# Head"), "#### Head\n");
});

Deno.test("a link that only some parsers see is shown as text", () => {
  const texts = [
    "> \t[click](javascript:alert(1))",
    "> \t[click](&#106;avascript:alert(1))",
    "\t[click](<java script:alert(1)>)",
    "[click](data\u00a0:text/html,x)",
    "> \t[x]:\n> \tjavascript:alert(1)",
  ];
  for (const text of texts) assert.match(harmlessMarkdown(text), /^```markdown\n/, text);
  assert.equal(
    harmlessMarkdown("`a\n\n<javascript:alert(1)>`"),
    "`a\n\n&lt;javascript:alert(1)>`\n",
  );
  const code = "```cpp\nstd::vector<std::string> a; f[0](b);\n```";
  assert.equal(harmlessMarkdown(code), `${code}\n`);
});

Deno.test("a text that the parser fails on is shown as it is", () => {
  const text = "- a\n  >2)\nb";
  assert.throws(() => marked.lexer(text), TypeError);
  assert.equal(harmlessMarkdown(text), `\`\`\`markdown\n${text}\n\`\`\`\n`);
});

Deno.test("generics in prose are shown, not swallowed as HTML", () => {
  assert.equal(harmlessMarkdown("a Map<string, number>"), "a Map&lt;string, number>\n");
});

Deno.test("an unclosed code block does not swallow what follows", () => {
  assert.equal(harmlessMarkdown("```sh\nls"), "```sh\nls\n```\n");
});

Deno.test("a fence is longer than any run of backticks in what it holds", () => {
  const output = "````\nnot the end\n````";
  const item = { type: "tool", call_id: "c", name: "read", status: "ok", output, ...BASE } as const;
  const [token] = marked.lexer(markdown(item)).filter(({ type }) => type === "code");
  assert.equal((token as Tokens.Code).text, output);
});

Deno.test("brief leaves out outputs, none the calls themselves", () => {
  const item = {
    type: "tool",
    call_id: "c",
    name: "read",
    input: { path: "a.ts" },
    status: "error",
    output: "OUT",
    error: "ERR",
    duration_ns: 12e6,
    ...BASE,
  } as const;
  assert.equal(markdown(item, "brief"), "**read** `a.ts` — failed, 12 ms\n\n");
  assert.match(markdown(item), /OUT[^]*ERR/);
  assert.equal(markdown(item, "none"), "");
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

Deno.test("an event that is not as it was written carries a mark", () => {
  const altered = { ...message("hi"), integrity: "mismatch" } as const;
  assert.match(markdown(altered), /^\*\*Checksum mismatch: .*\*\*\n\n### Assistant[^]*\nhi\n\n$/);
  assert.match(markdown({ ...message("hi"), integrity: "salvaged" }), /^\*\*Recovered from/);
  assert.match(markdown(message("hi")), /^### Assistant/);
});
