import assert from "node:assert/strict";
import type { Integrity } from "../../../lib/core/event/envelope.ts";
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { testCases } from "./_cases.ts";
import { renderItem, type RenderOptions } from "./_render_item.ts";
import { textWidth } from "../../../lib/text/render/text_width.ts";
import { withoutStyles } from "./_harmless.ts";
import { givenItem, SAMPLE_ITEMS } from "./_sample_items.ts";

const BASE = { seq: 7, integrity: "verified" } as const;

function formatTime(iso: string): string {
  return iso.slice(0, 16).replace("T", " ");
}

function render(item: TranscriptItem, options: Partial<RenderOptions> = {}): string {
  const view = { width: 80, color: false, full: false, format_time: formatTime, ...options };
  return renderItem(item, view);
}

function rowsOf(item: TranscriptItem, options: Partial<RenderOptions> = {}): string[] {
  return render(item, options).trimEnd().split("\n");
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}`);
}

testCases<Partial<RenderOptions>>(
  "terminal.txt",
  (input, options) => render(givenItem(input, BASE), options),
);

interface Long {
  name: string;
  title: string;
  item: TranscriptItem;
  count: number;
  /** How many of its first and last lines are shown. */
  shown: [number, number];
  more: string;
}

const LONG: Long[] = [
  {
    name: "a very long prompt",
    title: "▌ user #7",
    count: 500,
    item: { type: "message", role: "user", ...BASE, content: numbered(500).join("\n") },
    shown: [40, 10],
    more: "▌ … 450 more lines (4.0 KB); to show them: --full",
  },
  {
    name: "thinking",
    title: "thinking",
    count: 40,
    item: { type: "reasoning", ...BASE, text: numbered(40).join("\n") },
    shown: [8, 4],
    more: "  … 28 more lines (222 B); to show them: --full",
  },
  {
    name: "the output of a tool",
    title: "→ read a · ok",
    count: 324,
    item: {
      ...{ type: "tool", ...BASE, call_id: "c", name: "read", input: { pattern: "a" } },
      status: "ok",
      output: numbered(324).join("\n") + "\n",
    },
    shown: [8, 4],
    more: "    … 312 more lines (2.7 KB); to show them: --full",
  },
  {
    name: "a large file change",
    title: "± file change  +200 -0",
    count: 200,
    item: {
      ...{ type: "diff", ...BASE },
      lines: numbered(200).map((content, at) => ({ kind: "added", new: at + 1, content })),
    },
    shown: [40, 10],
    more: "  … 150 more lines (1.3 KB); to show them: --full",
  },
];

for (const { name, title, item, count, shown: [first, last], more } of LONG) {
  Deno.test(`${name} shows its beginning and its end, and all of it where asked for`, () => {
    const [head = "", ...full] = rowsOf(item, { full: true });
    assert.equal(head, title);
    assert.deepEqual(full.map((row) => /line \d+$/.exec(row)?.[0]), numbered(count));
    assert.deepEqual(rowsOf(item), [title, ...full.slice(0, first), more, ...full.slice(-last)]);
  });
}

Deno.test("a very long line shows its beginning and its size", () => {
  const item: TranscriptItem = {
    ...{ type: "tool", ...BASE, call_id: "c", name: "x" },
    status: "ok",
    output: "y".repeat(5_000) + "\nlast",
  };
  assert.deepEqual(rowsOf(item, { width: 34 }), [
    "→ x · ok",
    "    " + "y".repeat(30),
    "    " + "y".repeat(30),
    "    " + "y".repeat(11) + " … (line of 5.0 KB)",
    "    last",
  ]);
  assert.equal(render(item, { full: true }).replaceAll(/[^y]/g, "").length, 5_000);
  assert.equal(render(item, { width: Infinity }).replaceAll(/[^y]/g, "").length, 5_000);
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
  assert.equal(text, `▌ user #7\n▌ ${content}\n\n`);
});
