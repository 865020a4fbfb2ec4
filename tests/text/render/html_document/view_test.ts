import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import {
  createChangedWords,
  createHighlight,
  highlightLines,
  type Stretch,
} from "../../../../lib/text/render/html_document/view.ts";
import { languageOf } from "../../../../lib/text/render/path_text.ts";
import { roundsOf } from "../../../_support/few_rounds.ts";

function marked(stretches: readonly Stretch[] | undefined): string | undefined {
  return stretches?.map(({ text, changed }) => changed ? `[${text}]` : text).join("");
}

Deno.test("changed words are found within a line that stays the same line", () => {
  const words = createChangedWords()("return a + b;", "return a - b;");
  assert.equal(marked(words?.before), "return a [+] b;");
  assert.equal(marked(words?.after), "return a [-] b;");
});

Deno.test("lines that share little, and long ones, are not compared", () => {
  const find = createChangedWords();
  assert.equal(find("one two three", "four five six"), undefined);
  assert.equal(find("x ".repeat(201), "x ".repeat(202)), undefined);
  assert.notEqual(find("x ".repeat(100), "x ".repeat(101)), undefined);
});

Deno.test("after 256 KB of a document no line is compared", () => {
  const find = createChangedWords();
  const line = "word ".repeat(60);
  let compared = 0;
  while (find(`${line}a`, `${line}b`) !== undefined) compared++;
  assert.equal(compared, Math.ceil(256 * 1024 / 602));
});

/** What a browser shows of it. */
function textOf(markup: string): string {
  return markup.replaceAll(/<\/?span[^>]*>/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

const CODE = "const a = `x${1}`; // <b>\n";

Deno.test("code of a known language is in colours, and each character of it is there", () => {
  const { markup } = createHighlight()(CODE, "ts");
  assert.ok(
    markup.startsWith('<span class="c-keyword">const</span> a = <span class="c-string">`x'),
  );
  assert.ok(markup.includes('<span class="c-comment">// &lt;b&gt;</span>'));
  assert.equal(textOf(markup), CODE);
});

Deno.test("code of an unknown language, and of none, is plain", () => {
  for (const language of [undefined, "", "klingon", "constructor", "__proto__"]) {
    assert.equal(textOf(createHighlight()(CODE, language).markup), CODE);
    assert.ok(!createHighlight()(CODE, language).markup.includes("<span"));
  }
});

Deno.test("a text of more than 16 KB is plain, and all after 1 MB of a document", () => {
  const highlight = createHighlight();
  const line = "+ one = (two, three, four, five, six, seven);\n";
  const long = line.repeat(Math.floor(16 * 1024 / line.length));
  assert.ok(!highlight(long + line, "diff").markup.includes("<span"));
  let colored = 0;
  while (highlight(long, "diff").markup.includes("<span")) colored += long.length;
  assert.ok(colored > 1_000_000 && colored <= 1024 * 1024, String(colored));
  assert.equal(textOf(highlight(long, "diff").markup), long);
  const anew = createHighlight()(long, "diff").markup;
  assert.ok(anew.includes("<span"));
  assert.equal(textOf(anew), long);
});

Deno.test("a long text without punctuation is plain: some patterns take its square", () => {
  const highlight = createHighlight();
  for (const text of ["a".repeat(16_000), "a ".repeat(8_000), "a\n".repeat(8_000)]) {
    assert.equal(highlight(`return 1;${text}`, "ts").markup, `return 1;${text}`);
  }
  assert.ok(highlight(`return 1;${"a ".repeat(500)}`, "ts").markup.includes("<span"));
});

Deno.test("whatever the code, each character of it is there", () => {
  const piece = fc.constantFrom(
    ..."< > & \" ' ` ${ } { ( ) /* */ // # \n \t if class def <script> </script> <?php <% %> --> 0x1 \\ é 漢 🙂 @ :"
      .split(" "),
    " ",
    "\n",
  );
  const code = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
  const language = fc.constantFrom(
    "ts",
    "html",
    "php",
    "python",
    "bash",
    "css",
    "md",
    "json",
    "diff",
  );
  fc.assert(
    fc.property(code, language, (text, name) => {
      assert.equal(textOf(createHighlight()(text, name).markup), text);
    }),
    { seed: 11, numRuns: roundsOf(1000) },
  );
});

Deno.test("a path tells its language by its ending", () => {
  assert.equal(languageOf("/a/b.test.TS"), "ts");
  for (const none of ["/a/b", "/a.d/", 7, undefined, "a.b c", `a.${"x".repeat(13)}`]) {
    assert.equal(languageOf(none), undefined);
  }
});

Deno.test("lines of a long file keep their colours, and each its own text", () => {
  const lines = Array.from({ length: 2000 }, (_, index) => `const line_${index} = ${index};`);
  const code = highlightLines(lines, "ts").map(({ markup }) => markup);
  assert.deepEqual(code.map((line) => line.replaceAll(/<[^>]*>/g, "")), lines);
  assert.ok(code.every((line) => line.includes('<span class="c-keyword">const</span>')), code[0]);
});
