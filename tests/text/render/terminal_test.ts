import assert from "node:assert/strict";
import type { Integrity } from "../../../lib/core/event/envelope.ts";
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { renderItem, type RenderOptions } from "./_render_item.ts";
import { textWidth } from "../../../lib/text/render/text_width.ts";
import { withoutStyles } from "./_harmless.ts";
import { SAMPLE_ITEMS } from "./_sample_items.ts";

const BASE = { seq: 7, integrity: "verified" } as const;

function formatTime(iso: string): string {
  return iso.slice(0, 16).replace("T", " ");
}

function render(item: TranscriptItem, options: Partial<RenderOptions> = {}): string {
  const view = { width: 80, color: false, full: false, format_time: formatTime, ...options };
  return renderItem(item, view);
}

function sample(type: TranscriptItem["type"]): TranscriptItem {
  const item = SAMPLE_ITEMS.find((candidate) => candidate.type === type);
  assert.ok(item !== undefined);
  return item;
}

function page(...lines: string[]): string {
  return lines.join("\n") + "\n\n";
}

function numberLines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");
}

Deno.test("the head of a session says where it comes from", () => {
  assert.equal(
    render(sample("session")),
    page(
      "Fix the flaky login test",
      "session    3f2a9c1e-1111-4222-8333-123456789abc",
      "directory  /home/ana/login",
      "created    2026-11-21 20:21",
      "branch     main (1a2b3c4d)",
      "remote     git@example.com:ana/login",
      "app        keen 1.2.0",
      "parent     9d8c7b6a#41 (fork)",
      "imported   pi:17 (version 1)",
      "from       /home/ana/.pi/17.jsonl",
      "settings   sandbox workspace-write · approval never · search live · depth 2",
      "─".repeat(80),
    ),
  );
});

Deno.test("a bare head shows no empty fields", () => {
  const session = { session_id: "s1", created_at: "2026-11-21T20:21:53.123Z", cwd: "/a" };
  assert.equal(
    render({ type: "session", ...BASE, session }, { width: 20 }),
    page(
      "session    s1",
      "directory  /a",
      "created    2026-11-2",
      "           1 20:21",
      "─".repeat(20),
    ),
  );
});

Deno.test("loaded instructions take a line, and failures are told apart", () => {
  assert.equal(
    render(sample("context")),
    page(
      "Loaded: AGENTS.md (1.2 KB), ~/AGENTS.md (65.5 KB, cut)",
      "✗ Could not load docs/X.md: denied",
    ),
  );
  assert.equal(
    render({ type: "context", ...BASE, sources: [] }),
    page("Loaded: no instructions"),
  );
});

Deno.test("the user's message stands behind a bar, with its attachments", () => {
  assert.equal(
    render(sample("message")),
    page(
      "▌ user #3 · 2026-11-21 20:21",
      "▌ Please fix the flaky test.",
      "▌",
      "▌ [image image/png 12.3 KB shot.png]",
    ),
  );
});

Deno.test("the user's message keeps its lines and indentation, and is no Markdown", () => {
  assert.equal(
    render({ type: "message", role: "user", ...BASE, content: "# not\n    a * title\n\n\tx\n" }),
    page("▌ user #7", "▌ # not", "▌     a * title", "▌", "▌     x"),
  );
});

Deno.test("a very long prompt is folded", () => {
  const item: TranscriptItem = {
    type: "message",
    role: "user",
    ...BASE,
    content: numberLines(500),
  };
  const rows = render(item).trimEnd().split("\n");
  assert.equal(rows.length, 1 + 40 + 1 + 10);
  assert.equal(rows[41], "▌ … 450 more lines (4.0 KB); to show them: --full");
  assert.equal(render(item, { full: true }).trimEnd().split("\n").length, 501);
});

Deno.test("the model's message is Markdown below its name", () => {
  const content = "I found **two** things:\n\n- one\n- two";
  assert.equal(
    render({ type: "message", role: "assistant", ...BASE, content, model: "opus" }),
    page("assistant #7 · opus", "I found **two** things:", "", "• one", "• two"),
  );
});

Deno.test("an answer that was cut off says so where it breaks off", () => {
  const item: TranscriptItem = {
    type: "message",
    role: "assistant",
    ...BASE,
    content: "And now",
    interrupted: true,
  };
  assert.equal(render(item), page("assistant #7", "And now", "! Interrupted"));
  assert.equal(
    render({ ...item, content: "", reason: "connection lost" }),
    page("assistant #7", "! Interrupted: connection lost"),
  );
});

Deno.test("parts of other kinds than text are shown in their order", () => {
  const item = SAMPLE_ITEMS.find((one) => one.type === "message" && one.role === "assistant");
  assert.ok(item !== undefined);
  assert.equal(
    render(item),
    page(
      "assistant #5 · claude-opus-5 · 2026-11-21 20:21",
      "thinking",
      "  A short thought.",
      "",
      "I will **look** at `login_test.ts`.",
      "",
      "→ glob *.ts · called",
      "",
      "← glob · ok",
      "    login.ts",
      "! Interrupted: stopped by the user",
    ),
  );
});

Deno.test("an answer that only calls tools shows nothing, unless its bytes are in doubt", () => {
  const item: TranscriptItem = { type: "message", role: "assistant", ...BASE, content: "" };
  assert.equal(render(item), "");
  assert.equal(render({ ...item, integrity: "salvaged" }), page("[salvaged]"));
});

Deno.test("thinking is labelled, set in, and folded", () => {
  assert.equal(
    render(sample("reasoning")),
    page("thinking", "  The test has to be read first."),
  );
  const rows = render({ type: "reasoning", ...BASE, text: numberLines(40) }).trimEnd().split("\n");
  assert.equal(rows[9], "  … 28 more lines (222 B); to show them: --full");
  assert.equal(rows.length, 1 + 8 + 1 + 4);
  assert.equal(render({ type: "reasoning", ...BASE, text: "" }), "");
});

Deno.test("a tool call has its arguments, outcome and duration on one line", () => {
  assert.equal(
    render(sample("tool")),
    page(
      "→ read src/login_test.ts limit=400 view={…} · failed · 12 ms · output truncated",
      "    import { login } from './login.ts';",
      "    ENOENT: no such file",
    ),
  );
});

Deno.test("a long output shows its beginning and its end", () => {
  const item: TranscriptItem = {
    type: "tool",
    ...BASE,
    call_id: "c",
    name: "read",
    input: { pattern: "a" },
    status: "ok",
    output: numberLines(324) + "\n",
  };
  assert.equal(
    render(item),
    page(
      "→ read a · ok",
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((line) => `    line ${line}`),
      "    … 312 more lines (2.7 KB); to show them: --full",
      ...[321, 322, 323, 324].map((line) => `    line ${line}`),
    ),
  );
  const rows = render(item, { full: true }).trimEnd().split("\n");
  assert.deepEqual(rows, [
    "→ read a · ok",
    ...numberLines(324).split("\n").map((row) => `    ${row}`),
  ]);
});

Deno.test("a very long line shows its beginning and its size", () => {
  const item: TranscriptItem = {
    type: "tool",
    ...BASE,
    call_id: "c",
    name: "x",
    status: "ok",
    output: "y".repeat(5_000) + "\nlast",
  };
  assert.equal(
    render(item, { width: 34 }),
    page(
      "→ x · ok",
      "    " + "y".repeat(30),
      "    " + "y".repeat(30),
      "    " + "y".repeat(11) + " … (line of 5.0 KB)",
      "    last",
    ),
  );
  assert.equal(render(item, { full: true }).replaceAll(/[^y]/g, "").length, 5_000);
  assert.equal(render(item, { width: Infinity }).replaceAll(/[^y]/g, "").length, 5_000);
});

Deno.test("full shows arguments that do not fit on the line, and only those", () => {
  const item: TranscriptItem = {
    type: "tool",
    ...BASE,
    call_id: "c",
    name: "edit",
    input: { path: "a.ts", old: "one\ntwo", new: "" },
    status: "ok",
    output: "done",
  };
  assert.equal(
    render(item, { full: true }),
    page(
      '→ edit a.ts old="one␊two" new="" · ok',
      "    path: a.ts",
      '    new: ""',
      "    old:",
      "      one",
      "      two",
      "",
      "    done",
    ),
  );
  assert.equal(
    render({ ...item, input: { path: "a.ts" } }, { full: true }),
    page("→ edit a.ts · ok", "    done"),
  );
});

Deno.test("the outcome of a call is seen however long its arguments are", () => {
  const item: TranscriptItem = {
    type: "tool",
    ...BASE,
    call_id: "c",
    name: "mcp__a_very_long_name_of_a_server__and_of_a_tool",
    input: { query: "what is the meaning of all this" },
    status: "unsettled",
  };
  assert.equal(
    render(item, { width: 50 }),
    page("→ mcp__a_very_lo… what is the me… · did not finish"),
  );
});

Deno.test("calls that were not settled, or never started, say so", () => {
  const item: TranscriptItem = { type: "tool", ...BASE, call_id: "c", name: "grep", status: "ok" };
  assert.equal(
    render({ ...item, status: "unsettled", input: {} }),
    page("→ grep · did not finish"),
  );
  assert.equal(
    render({ ...item, orphan: true }),
    page("→ grep · ok · the start of this call was not recorded"),
  );
});

Deno.test("a command stands as in a terminal, with its output and exit code", () => {
  assert.equal(
    render(sample("bash")),
    page(
      "# Run the tests",
      "$ deno test",
      "    FAILED | 2 passed | 1 failed",
      "    exited",
      "  exit 1 · 4.2 s",
    ),
  );
  assert.equal(
    render({
      type: "bash",
      ...BASE,
      call_id: "c",
      command: "cat <<E\n\ta\nE",
      origin: "user",
      status: "interrupted",
      duration_ns: 61e9,
    }),
    page("$ cat <<E", "      a", "  E", "  interrupted · 1m 01s · run by the user"),
  );
});

Deno.test("a command that never settled did not finish", () => {
  assert.equal(
    render({ type: "bash", ...BASE, call_id: "c", command: "make", status: "unsettled" }),
    page("$ make", "  did not finish"),
  );
});

Deno.test("a call that never began was not run", () => {
  const call = { type: "tool" as const, ...BASE, call_id: "c", name: "grep", input: {} };
  assert.equal(render({ ...call, status: "not_run" }), page("→ grep · was not run"));
});

Deno.test("a file change has its path, counts, numbers and signs", () => {
  assert.equal(
    render(sample("diff")),
    page(
      "± src/login.ts  +1 -1",
      "      @@ -98,3 +98,3 @@",
      "  98  function login(token) {",
      "  99 -  return token === refresh(token);",
      "  99 +  return refresh(token) === token;",
    ),
  );
});

Deno.test("lines of a file change go on under their content", () => {
  assert.equal(
    render({
      type: "diff",
      ...BASE,
      path: "a/very/long/path/to/a/file.ts",
      lines: [
        { kind: "added", new: 9, content: "\tconst value = compute(1);\r\n" },
        { kind: "removed", old: 10, content: "" },
        { kind: "hunk", content: "" },
      ],
    }, { width: 24 }),
    page(
      "± a/ve…/a/file.ts  +1 -1",
      "   9 +    const value = ",
      "      compute(1);",
      "  10 -",
      "      ⋯",
    ),
  );
});

Deno.test("a large file change is folded", () => {
  const lines = Array.from({ length: 200 }, (_, index) => ({
    kind: "added" as const,
    new: index + 1,
    content: `line ${index + 1}`,
  }));
  const rows = render({ type: "diff", ...BASE, lines }).trimEnd().split("\n");
  assert.equal(rows[0], "± file change  +200 -0");
  assert.equal(rows[41], "  … 150 more lines (1.3 KB); to show them: --full");
  assert.equal(rows.length, 1 + 40 + 1 + 10);
  const full = render({ type: "diff", ...BASE, lines }, { full: true });
  assert.equal(full.trimEnd().split("\n").length, 201);
});

Deno.test("a compaction is a rule with what it saved", () => {
  assert.equal(
    render(sample("compaction")),
    page(
      "── Context compacted · 123k → 8.1k tokens · auto " + "─".repeat(31),
      "  The login was fixed.",
    ),
  );
  const status = "Everything that was said before was replaced by a summary of it";
  assert.equal(
    render({ type: "compaction", ...BASE, status, tokens_before: 5_000 }, { width: 50 }),
    page(
      "── conversation compacted · 5.0k tokens before ───",
      "  Everything that was said before was replaced by",
      "  a summary of it",
    ),
  );
});

Deno.test("the end of a session is not called a compaction on a narrow terminal", () => {
  assert.equal(
    render({ type: "closed", ...BASE, status: "completed" }, { width: 20 }),
    page("── Session compl… ──", "  Session completed"),
  );
});

Deno.test("failures say why", () => {
  assert.equal(render(sample("failure")), page("✗ Turn failed: 429 Too many requests"));
  assert.equal(
    render({ type: "failure", ...BASE, reason: "cancelled", message: "" }),
    page("! Turn cancelled"),
  );
});

Deno.test("the end of a session says how it ended", () => {
  assert.equal(
    render(sample("closed")),
    page("── Session completed · exit 0 " + "─".repeat(50), "  All done."),
  );
});

Deno.test("an unreadable event is shown raw, with the reason", () => {
  assert.equal(
    render(sample("unreadable")),
    page(
      "! Unreadable bash_end #13: call_id is no string",
      "    {",
      '      "call_id": 3,',
      '      "note": "x"',
      "    }",
    ),
  );
});

Deno.test("another agent's own record is shown as JSON", () => {
  assert.equal(
    render({ type: "extension", ...BASE, agent: "pi", name: "label", data: [1] }),
    page("pi: label #7", "    [", "      1", "    ]"),
  );
});

Deno.test("only doubtful integrity is marked, on every type of item", () => {
  const marks: [Integrity, string | undefined][] = [
    ["verified", undefined],
    ["unverified", undefined],
    ["mismatch", "[checksum mismatch]"],
    ["salvaged", "[salvaged]"],
  ];
  for (const item of SAMPLE_ITEMS) {
    const plain = render({ ...item, integrity: "verified" });
    for (const [integrity, mark] of marks) {
      const expected = mark === undefined ? plain : `${mark}\n${plain}`;
      assert.equal(render({ ...item, integrity }), expected);
    }
  }
});

Deno.test("colour changes nothing but colour, save in Markdown", () => {
  for (const item of SAMPLE_ITEMS) {
    const colored = render(item, { color: true });
    assert.ok(colored.includes("\x1b["), item.type);
    if (item.type === "message" && item.role === "assistant") continue;
    assert.equal(withoutStyles(colored), render(item));
  }
});

Deno.test("no row is wider than the terminal", () => {
  const wide: TranscriptItem[] = SAMPLE_ITEMS.map((item) =>
    JSON.parse(
      JSON.stringify(item),
      (key, value) =>
        typeof value === "string" && !["type", "role", "status", "kind", "reason"].includes(key)
          ? `${value} 日本語テキスト ${"wide".repeat(30)} ${value}`
          : value,
    )
  );
  let rows = 0;
  for (const item of [...SAMPLE_ITEMS, ...wide]) {
    for (const width of [24, 40, 80, 120]) {
      for (const color of [false, true]) {
        for (const full of [false, true]) {
          for (const row of render(item, { width, color, full }).split("\n")) {
            rows++;
            assert.ok(textWidth(row) <= width, `${item.type} at ${width}: ${JSON.stringify(row)}`);
          }
        }
      }
    }
  }
  assert.ok(rows > 1_000);
});

Deno.test("without a width nothing is wrapped", () => {
  const content = "word ".repeat(100).trim();
  const text = render({ type: "message", role: "user", ...BASE, content }, { width: Infinity });
  assert.equal(text, page("▌ user #7", `▌ ${content}`));
});

Deno.test("the head shows the first line of a title that is a whole message", () => {
  const session = { session_id: "s", created_at: "", cwd: "/" };
  const head = (title: string): string[] =>
    render({ type: "session", ...BASE, session: { ...session, title } }).split("\n").slice(0, 3);
  assert.deepEqual(head("\n  Fix  it\n\nIt is broken."), [
    "Fix it",
    "session    s",
    "directory  /",
  ]);
  const long = head("word ".repeat(100));
  assert.deepEqual(long.map((row) => row.startsWith("word")), [true, true, true]);
  assert.ok(
    render({ type: "session", ...BASE, session: { ...session, title: "x".repeat(900) } })
      .startsWith("x".repeat(80)),
  );
});
