import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { htmlDocument } from "../../../lib/text/render/html_document.ts";
import type { ToolDetail } from "../../../lib/text/render/block/block.ts";
import { testCases } from "./_cases.ts";
import { givenItem, RICH_ITEMS, SAMPLE_ITEMS } from "./_sample_items.ts";
import { HEADER, pageOf, withoutTags } from "./html_document/_page.ts";
import { itemsInto } from "./_document_items.ts";

const BASE = { seq: 3, integrity: "verified" } as const;

function itemOf(item: object, tools: ToolDetail = "full"): string {
  return itemsInto(htmlDocument({ tools }), tools)({ ...BASE, ...item } as TranscriptItem);
}

/** What stands on the page, without its marks. */
function textOf(markup: string): string {
  const text = withoutTags(markup.replaceAll(/<(?:\/(?:p|li|dt|dd|div|td)|br)>/g, "\n"));
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'").replaceAll("&amp;", "&").replaceAll(/\s*\n\s*/g, "\n").trim();
}

function answer(content: unknown): string {
  return itemOf({ type: "message", role: "assistant", content });
}

const BLOCKS = /><(?=(?:blockquote|d[tl]|details|div|figure|h\d|hr|li|[ou]l|p|pre|table|tr)\b)/g;

/** "Markdown" is the answer of the rich items. Each element that takes a line begins one. */
testCases<{ tools?: ToolDetail }>("html_items.txt", (input, { tools }) => {
  const item = input === '"Markdown"' ? RICH_ITEMS[1] : givenItem(input, BASE);
  const markup = itemOf(item ?? {}, tools);
  assert.doesNotMatch(withoutTags(markup), /[<>]/);
  return markup.replaceAll(BLOCKS, ">\n<");
});

Deno.test("the page obeys its own style and script alone, and loads nothing", () => {
  const page = pageOf([]);
  const start = '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n' +
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-`;
  assert.ok(page.startsWith(start));
  const sourceOf = (name: string): string => {
    const [, text = ""] = new RegExp(`<${name}>([^]*?)</${name}>`).exec(page) ?? [];
    return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  };
  const allowed = `style-src ${sourceOf("style")}; script-src ${sourceOf("script")}; ` +
    `img-src data:; base-uri 'none'; form-action 'none'">`;
  assert.ok(page.includes(allowed));
  assert.ok(page.includes('<meta name="referrer" content="no-referrer">'));
  assert.equal(page.split("<script").length, 2);
  assert.ok(!/url\(|@import|<link/.test(page));
});

Deno.test("the header lists known facts of the session, and leaves out unknown ones", () => {
  const known = textOf(pageOf([]));
  for (
    const fact of [
      "Session of reprise",
      "Fix the flaky login test",
      "Directory\n/home/ana/login",
      "Created\n2026-11-21T20:21:53.123Z",
      "Models\nclaude-opus-5, gpt-6-mini",
      "Tokens\n12.3k in · 3.5k out · 988k from cache",
      "Cost\n$1.23",
      "Prompts\n2",
      "Status\ncompleted",
      "Session\n3f2a9c1e",
    ]
  ) assert.ok(known.includes(fact), fact);
  const { ref, agent, session_id, path } = HEADER.summary;
  const summary = { ref, agent, session_id, path, title: " ", status: "failed", archived: false };
  const bare = textOf(pageOf([], { ...HEADER, summary: summary as typeof HEADER.summary }));
  assert.ok(bare.includes("Untitled session"));
  for (const name of ["Directory", "Created", "Models", "Tokens", "Cost", "Prompts"]) {
    assert.ok(!bare.includes(name), name);
  }
});

Deno.test("times are written as the reader wants them, and as machines do", () => {
  const page = pageOf(SAMPLE_ITEMS, HEADER, { tools: "full", format_time: () => "yesterday" });
  assert.ok(page.includes('<time datetime="2026-11-21T20:21:53.123Z">yesterday</time>'));
});

Deno.test("the contents name each prompt by its first line and lead to it", () => {
  const prompts = ["\n  First\tprompt  \nmore", "x".repeat(200), "", [
    { type: "file", media_type: "text/csv", path: "a.csv", sha256: "", bytes: 3 },
  ]];
  const page = pageOf(prompts.map((content, index) => (
    { ...BASE, type: "message", role: "user", content, seq: 10 + index } as TranscriptItem
  )));
  const nav = page.slice(page.indexOf("<nav"), page.indexOf("</nav>"));
  const entries = [
    ...nav.matchAll(/<a href="#(e\d+)"><span class="number">\d<\/span><span dir="auto">([^<]*)</g),
  ];
  assert.deepEqual(entries.map(([, anchor, title]) => `${anchor} ${title}`), [
    "e10 First prompt",
    `e11 ${"x".repeat(89)}…`,
    "e12 (no text)",
    "e13 File · text/csv · 3 B · a.csv",
  ]);
  for (const [, anchor] of entries) {
    assert.ok(page.includes(`<div class="item is-message" id="${anchor}">`));
  }
  assert.deepEqual(page.match(/<h2>Turn \d/g), [
    "<h2>Turn 1",
    "<h2>Turn 2",
    "<h2>Turn 3",
    "<h2>Turn 4",
  ]);
  assert.equal(page.split("<section").length, page.split("</section>").length);
  assert.ok(pageOf([]).includes("There is no prompt on this page."));
});

Deno.test("every event has one place on the page, be it named twice", () => {
  const twice = SAMPLE_ITEMS.flatMap((item) => [item, item]);
  const ids = [...pageOf(twice).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const { seq, end_seq } of SAMPLE_ITEMS) {
    assert.ok(ids.includes(`e${seq}`) && ids.includes(`e${seq}-2`));
    if (end_seq !== undefined) assert.ok(ids.includes(`e${end_seq}`));
  }
  assert.ok(pageOf(twice).includes('href="#e12" aria-label="Permalink #12">#12</a>'));
});

Deno.test("how a call ended is said in a word", () => {
  const open = { unsettled: "did not finish", not_run: "was not run" };
  const words = { ok: "ok", error: "failed", interrupted: "interrupted", skipped: "skipped" };
  for (const [status, word] of Object.entries({ ...words, ...open })) {
    const text = textOf(itemOf({ type: "tool", call_id: "c", name: "n", status, orphan: true }));
    assert.equal(text, `n ${word} · the start of this call was not recorded\n#3`);
  }
});

Deno.test("a page says that it leaves out parts of calls", () => {
  const brief = pageOf([], HEADER, { tools: "brief" });
  assert.ok(brief.includes("only the outcome is shown"));
  assert.ok(pageOf([], HEADER, { tools: "none" }).includes("are left out"));
});

Deno.test("a long change is folded", () => {
  const lines = Array.from({ length: 61 }, (_, at) => ({ kind: "added", new: at, content: "x" }));
  const long = itemOf({ type: "diff", lines });
  assert.ok(long.includes('<details class="call k-edit"><summary>'));
  assert.ok(long.split("<tr>").length > 61);
});

Deno.test("a tool that replaces a very long text shows it as an argument", () => {
  const input = { old_string: "a\n".repeat(40_000), new_string: "b\n".repeat(10) };
  const plain = itemOf({ type: "tool", call_id: "c", name: "edit", status: "ok", input });
  assert.ok(!plain.includes("<table") && textOf(plain).includes("old_string"));
});

Deno.test("images that could do harm are a note", () => {
  const part = { type: "image", sha256: "", bytes: 3, media_type: "image/png", data: "QUJD" };
  for (
    const other of [
      { media_type: "image/svg+xml" },
      { media_type: "image/png;x" },
      { type: "file" },
      { data: "not base64" },
      { data: "" },
      { data: undefined },
    ]
  ) {
    const markup = answer([{ ...part, ...other }]);
    assert.ok(!markup.includes("<img") && textOf(markup).includes("3 B"), JSON.stringify(other));
  }
});

Deno.test("the footer says whether secrets were looked for", () => {
  assert.ok(pageOf([]).includes("are replaced by placeholders"));
  assert.ok(pageOf([], { ...HEADER, redacted: false }).includes("this page may contain secrets"));
});

Deno.test("Markdown that a parser chokes on is shown as text", () => {
  const cases = [">".repeat(10_000), "*a_".repeat(10_000), "**word** ".repeat(30_000).trim()];
  for (const text of cases) assert.ok(textOf(answer(text)).includes(text), text.slice(0, 20));
});

Deno.test("a reminder that came before is named without a link: it may be on another page", () => {
  const content = "<system-reminder>Keep the list.</system-reminder>";
  const take = itemsInto(htmlDocument({ tools: "full" }));
  const parts = [3, 7].map((seq) => take({ ...BASE, seq, type: "message", role: "user", content }));
  assert.ok(parts[0]?.includes("Keep the list."));
  assert.ok(parts[1]?.includes("System reminder, the same as at #3</p>"), parts[1]);
});
