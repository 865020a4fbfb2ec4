import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { htmlDocument } from "../../../lib/text/render/html_document.ts";
import type { ToolDetail } from "../../../lib/text/render/block/block.ts";
import { RICH_ITEMS, SAMPLE_ITEMS } from "./_sample_items.ts";
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

Deno.test("a tool call is folded under its name, its input, its outcome and its duration", () => {
  const [item] = SAMPLE_ITEMS.filter(({ type }) => type === "tool");
  const markup = itemOf(item ?? {});
  const [, summary = ""] = /<summary>(.*?)<\/summary>/.exec(markup) ?? [];
  assert.equal(
    textOf(summary),
    "Read src/login_test.ts limit=400 view={…} failed · 12 ms · output truncated",
  );
  assert.ok(markup.includes('<b class="fail">failed</b>'));
  for (const part of ["file_path\nsrc/login_test.ts", "limit\n400", "around", "Output", "Error"]) {
    assert.ok(textOf(markup).includes(part), part);
  }
});

Deno.test("the output of a call stands in an element of its own, apart from its arguments", () => {
  const markup = itemOf({
    ...{ type: "tool", call_id: "c", name: "write", status: "error", output: "GAVE", error: "BAD" },
    input: { Output: "ASKED\nfor", "Error text": "ASKED\ntoo" },
  });
  const [asked = "", gave = ""] = markup.split('<div class="out">');
  assert.ok(asked.includes("ASKED\nfor") && asked.includes("ASKED\ntoo"), markup);
  assert.ok(!gave.includes("ASKED") && gave.includes("GAVE") && gave.includes("BAD"), markup);
  assert.ok(!itemOf({ type: "tool", name: "x", status: "ok", output: "" }).includes('class="out"'));
});

Deno.test("a command shows itself, its exit code and what it printed", () => {
  const [item] = SAMPLE_ITEMS.filter(({ type }) => type === "bash");
  const text = textOf(itemOf(item ?? {}));
  assert.ok(text.startsWith("Run deno test failed · exit 1 · 4.2 s"), text);
  for (
    const part of [
      "Run the tests",
      "Command\ndeno test",
      "Output\nFAILED |",
      "Error output\nexited",
    ]
  ) {
    assert.ok(text.includes(part), part);
  }
  assert.ok(textOf(itemOf({ ...item, origin: "user" })).includes("run by the user"));
});

Deno.test("an output keeps every line and every space", () => {
  const output = "  a\n\n\tb  c\n <x>";
  const markup = itemOf({
    type: "tool",
    call_id: "c",
    name: "n",
    status: "ok",
    output: `${output}\n`,
  });
  assert.ok(markup.includes("<pre><code>  a\n\n\tb  c\n &lt;x&gt;</code></pre>"));
});

Deno.test("how a call ended is said in a word", () => {
  const open = { unsettled: "did not finish", not_run: "was not run" };
  const words = { ok: "ok", error: "failed", interrupted: "interrupted", skipped: "skipped" };
  for (const [status, word] of Object.entries({ ...words, ...open })) {
    const text = textOf(itemOf({ type: "tool", call_id: "c", name: "n", status, orphan: true }));
    assert.equal(text, `n ${word} · the start of this call was not recorded\n#3`);
  }
});

Deno.test("a document shows of tools what it is asked for", () => {
  const items = SAMPLE_ITEMS.filter(({ type }) => ["tool", "bash", "diff"].includes(type));
  const [full = "", brief = "", none = ""] = (["full", "brief", "none"] as const).map((tools) =>
    items.map((item) => itemOf(item, tools)).join("")
  );
  assert.ok(full.includes("ENOENT") && full.includes("refresh(") && full.includes("FAILED"));
  assert.equal(
    textOf(brief.replaceAll(/<a .*?<\/a>/g, "")),
    "Read src/login_test.ts limit=400 view={…} failed · 12 ms · output truncated\n" +
      "Run deno test failed · exit 1 · 4.2 s\nChanged src/login.ts +1 −1 lines",
  );
  assert.equal(none, "");
  const [parts] = SAMPLE_ITEMS.filter((item) =>
    item.type === "message" && item.role === "assistant"
  );
  assert.ok(!textOf(itemOf(parts ?? {}, "none")).includes("glob"));
  for (
    const [tools, said] of [["brief", "only the outcome is shown"], [
      "none",
      "are left out",
    ]] as const
  ) {
    assert.ok(pageOf([], HEADER, { tools }).includes(said));
  }
});

Deno.test("a change marks the words that changed, and is folded where it is long", () => {
  const [item] = SAMPLE_ITEMS.filter(({ type }) => type === "diff");
  const markup = itemOf(item ?? {});
  assert.ok(markup.includes('<details class="call k-edit" open>'));
  assert.ok(markup.includes('<td class="del">99</td><td class="del">  return token === <del>'));
  assert.ok(markup.includes('<caption class="unseen">Changes in src/login.ts</caption>'));
  const lines = Array.from({ length: 61 }, (_, at) => ({ kind: "added", new: at, content: "x" }));
  const long = itemOf({ type: "diff", lines });
  assert.ok(
    long.includes('<details class="call k-edit"><summary>') && long.split("<tr>").length > 61,
  );
});

Deno.test("a tool that replaces a text shows the change", () => {
  const input = { file_path: "a.ts", old_string: "one\ntwo\n", new_string: "one\nzwei\n" };
  const markup = itemOf({ type: "tool", call_id: "c", name: "edit", status: "ok", input });
  assert.ok(markup.includes('<td class="del"></td><td class="del">two</td>'));
  assert.ok(markup.includes('<tr class="same"><td></td><td>one</td>'));
  assert.ok(!textOf(markup.replace(/<summary>.*?<\/summary>/, "")).includes("old_string"));
  const huge = { old_string: "a\n".repeat(40_000), new_string: "b\n".repeat(10) };
  const plain = itemOf({ type: "tool", call_id: "c", name: "edit", status: "ok", input: huge });
  assert.ok(!plain.includes("<table") && textOf(plain).includes("old_string"));
});

Deno.test("images are shown where they can do no harm, others are a note", () => {
  const part = { type: "image", sha256: "", bytes: 3, media_type: "image/png", data: "QUJD" };
  assert.ok(answer([part]).includes('<img src="data:image/png;base64,QUJD" alt="Attached image">'));
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

Deno.test("notices are written in words", () => {
  const texts = SAMPLE_ITEMS.map((item) => textOf(itemOf(item)));
  const said = [
    "Could not load docs/X.md: denied",
    "Interrupted: stopped by the user",
    "Thinking The test has to be read first.",
    "Context compacted · 123k → 8.1k tokens · auto",
    "Turn failed: 429 Too many requests",
    "Session completed · exit 0",
    "Unreadable bash_end #13: call_id is no string",
    "claude-code: file-history-snapshot #14",
  ];
  for (const words of said) assert.ok(texts.some((text) => text.includes(words)), words);
  assert.equal(
    textOf(itemOf({ type: "failure", reason: "cancelled", message: "" })),
    "Turn cancelled\n#3",
  );
  const salvaged = itemOf({ type: "reasoning", text: "x", integrity: "salvaged" });
  assert.ok(textOf(salvaged).startsWith("Recovered from a damaged line"));
});

Deno.test("the footer says whether secrets were looked for", () => {
  assert.ok(pageOf([]).includes("are replaced by placeholders"));
  assert.ok(pageOf([], { ...HEADER, redacted: false }).includes("this page may contain secrets"));
});

Deno.test("Markdown is written with its own tags alone", () => {
  const [item] = RICH_ITEMS.filter((one) => one.type === "message" && one.role === "assistant");
  const markup = itemOf(item ?? {});
  for (
    const part of [
      "<h3>A heading</h3>",
      "<h4>Skipped level</h4>",
      "<strong>bold</strong>, <em>italic</em>, <s>gone</s> and <code>code</code>",
      '<a href="https://example.com/docs?a=1&amp;b=2" rel="noreferrer noopener">link</a>',
      "evil (<code>javascript:alert(1)</code>)",
      "[image: alt] (<code>https://evil.example/x.png</code>)",
      '<li class="task"><span role="img" aria-label="done">☑</span> done </li>',
      '<th scope="col">Name</th>',
      '<td class="right">1234</td>',
      '<p class="language">python</p><pre><code><span class="c-keyword">class</span>',
      "&lt;details&gt;&lt;summary&gt;raw",
      "<hr>",
    ]
  ) assert.ok(markup.includes(part), part);
});

Deno.test("headings stand one level below the one that they belong to", () => {
  const markup = answer("## a\n\n# b\n\n#### c\n\n## d\n\n#");
  assert.deepEqual(markup.match(/<h\d>.<\/h\d>/g), [
    "<h3>a</h3>",
    "<h3>b</h3>",
    "<h4>c</h4>",
    "<h4>d</h4>",
  ]);
  assert.equal(markup.match(/<h\d/g)?.length, 4);
});

Deno.test("a table's column without a name has no heading", () => {
  assert.ok(answer("| | b |\n|---|---|\n| 1 | 2 |").includes('<td></td><th scope="col">b</th>'));
});

Deno.test("character references are read once, and mean nothing more", () => {
  assert.ok(
    answer("a &amp; b &#65; &lt;b&gt; `&lt;` &amp;lt;").includes(
      "<p>a &amp; b A &lt;b&gt; <code>&amp;lt;</code> &amp;lt;</p>",
    ),
  );
  assert.ok(answer("&#27;[31m&#x202e;").includes("␛[31m&lt;U+202E&gt;"));
});

Deno.test("only links that can do no harm are links, and each has a name", () => {
  const links = "[a](http://x.example) [b](HTTPS://x.example) [](https://y.example) <me@z.example>";
  assert.equal(answer(links).match(/<a href="(?:https?:|HTTPS:|mailto:)/g)?.length, 4);
  assert.ok(answer(links).includes(">https://y.example</a>"));
  const others = "[a](./b.md) [c](//d.example) [e](file:///f) [g](ftp://h.example) " +
    "[i](data:text/html,x) [k](javascript:l//https://m.example)";
  assert.ok(!answer(others).includes("noreferrer"));
  const shown = "Assistant\na (./b.md) c (//d.example) e (file:///f) g (ftp://h.example) " +
    "i (data:text/html,x) k (javascript:l//https://m.example)";
  assert.ok(textOf(answer(others)).startsWith(shown));
});

Deno.test("a prompt is text, whatever its marks", () => {
  const markup = itemOf({ type: "message", role: "user", content: "# a\n\n- *b*" });
  assert.ok(markup.includes('<p class="plain"># a\n\n- *b*</p>'));
});

Deno.test("Markdown that a parser chokes on is shown as text", () => {
  const cases = [">".repeat(10_000), "*a_".repeat(10_000), "**word** ".repeat(30_000).trim()];
  for (const text of cases) assert.ok(textOf(answer(text)).includes(text), text.slice(0, 20));
});

Deno.test("an answer that says nothing, and a thought without words, take no room", () => {
  assert.equal(answer(""), "");
  assert.equal(answer([{ type: "reasoning", text: " " }]), "");
  assert.equal(itemOf({ type: "reasoning", text: "\n" }), "");
});

Deno.test("a reminder that came before is named without a link: it may be on another page", () => {
  const content = "<system-reminder>Keep the list.</system-reminder>";
  const take = itemsInto(htmlDocument({ tools: "full" }));
  const parts = [3, 7].map((seq) => take({ ...BASE, seq, type: "message", role: "user", content }));
  assert.ok(parts[0]?.includes("Keep the list."));
  assert.ok(parts[1]?.includes("System reminder, the same as at #3</p>"), parts[1]);
});
