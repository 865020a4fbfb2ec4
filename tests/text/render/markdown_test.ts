import { roundsOf } from "../../_support/few_rounds.ts";
import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { renderMarkdown } from "../../../lib/text/render/markdown.ts";
import { createStyle } from "../../../lib/text/render/style.ts";
import { textWidth } from "../../../lib/text/render/text_width.ts";
import { testCases } from "./_cases.ts";
import { isHarmless, withoutStyles } from "./_harmless.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";

function render(text: string, width = 40): string {
  return renderMarkdown(text, { width, style: createStyle(false) }).join("\n");
}

function renderColored(text: string, width = 40): string {
  return renderMarkdown(text, { width, style: createStyle(true) }).join("\n");
}

testCases<{ width: number }>("markdown.txt", (text, { width }) => render(text, width));

Deno.test("with colour the marks become styles, on every leaf alone", () => {
  assert.equal(
    renderColored("**bold *both*** `code`"),
    "\x1b[1mbold \x1b[22m\x1b[3m\x1b[1mboth\x1b[22m\x1b[23m \x1b[36mcode\x1b[39m",
  );
});

Deno.test("an image inside the text itself does not fill the page", () => {
  const shown = render(`![x](data:image/png;base64,${"A".repeat(10_000)})`, 200);
  assert.ok(shown.startsWith("[image: x] (data:image/png;base64,AAA"));
  assert.ok(shown.endsWith("…)") && shown.length < 120);
});

Deno.test("a character reference to a control character does no harm", () => {
  const shown = renderColored("&#27;[31m **&#x9b;** [&#x202e;](&#27;) `&#27;` ![&#7;](&#27;)", 200);
  assert.ok(isHarmless(withoutStyles(shown)), JSON.stringify(shown));
  assert.ok(shown.includes("␛[31m"));
});

Deno.test("a text of more than 256 KiB is wrapped, not parsed", () => {
  const line = "**word** ".repeat(10).trim() + "\n";
  const small = renderColored(line, 80);
  assert.ok(!small.includes("**"));
  const rows = renderMarkdown(line.repeat(4_000), { width: 80, style: createStyle(true) });
  assert.equal(rows.length, 8_000);
  assert.deepEqual(rows.slice(-2), ["**word** ".repeat(9).trim(), "**word**"]);
});

// Slow: the parser chokes on long texts alone.
Deno.test("Markdown that a parser chokes on is shown as text", () => {
  const cases = [
    ">".repeat(10_000),
    "*a_".repeat(40_000),
    "> - ".repeat(5_000),
    "|".repeat(200_000),
  ];
  for (const text of cases) {
    const rows = renderMarkdown(text, { width: 80, style: createStyle(true) });
    assert.ok(rows.join("") === text.trimEnd() || rows.join(" ") === text.trimEnd());
    for (const row of rows) assert.ok(textWidth(row) <= 80);
  }
});

Deno.test("Markdown of any depth is rendered", () => {
  for (const depth of ALL_TORTURE ? [10, 30, 100, 300, 700, 1_000, 2_000] : [10, 100, 300, 2_000]) {
    const cases = [
      "> ".repeat(depth) + "word",
      "> - ".repeat(depth) + "word",
      "*a **b ".repeat(depth / 10) + "word" + " c** d*".repeat(depth / 10),
      "[".repeat(depth) + "word" + "](b)".repeat(depth),
    ];
    for (const text of cases) {
      const rows = renderMarkdown(text, { width: 60, style: createStyle(true) });
      assert.ok(withoutStyles(rows.join("")).includes("word"), text.slice(0, 40));
      for (const row of rows) assert.ok(textWidth(row) <= 60);
    }
  }
});

Deno.test("whatever the Markdown, no row is too wide and none does harm", () => {
  const piece = fc.constantFrom(
    ..."# |> |- |1. |  |* |** |_ |` |``` |~~~ |[ |]( |) |![ |\n|\n\n|\\|&#27;|&amp;|<b>|<!--|日本語|👨‍👩‍👧|word|a long sentence here|https://example.com/a/b/c|\t|\x1b[31m|- [ ] |---|====="
      .split("|"),
    "| a | b |\n|---|---|\n| ",
    " | ",
  );
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 100 }), fc.boolean(), (input, width, color) => {
      const rows = renderMarkdown(input, { width, style: createStyle(color) });
      for (const row of rows) {
        assert.ok(!row.includes("\n"));
        assert.ok(textWidth(row) <= width, JSON.stringify({ input, row, width }));
        assert.ok(isHarmless(withoutStyles(row)), JSON.stringify(input));
      }
    }),
    { seed: 7, numRuns: roundsOf(1_500) },
  );
});

Deno.test("whatever the Markdown, every word of it is shown", () => {
  const block = fc.constantFrom(
    "# ",
    "- ",
    "1. ",
    "> ",
    "",
    "    ",
    "**",
    "| a |\n|---|\n| ",
    "<b>",
    "```\n",
  );
  const text = fc.array(block, { minLength: 1, maxLength: 12 }).map((blocks) =>
    blocks.map((mark, index) => `${mark}word${index}x\n`).join("\n")
  );
  fc.assert(
    fc.property(text, (input) => {
      const shown = render(input, 60);
      for (const [word] of input.matchAll(/word\d+x/g)) assert.ok(shown.includes(word), input);
    }),
    { seed: 7, numRuns: roundsOf(500) },
  );
});
