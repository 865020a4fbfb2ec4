import assert from "node:assert/strict";
import { parseQuery, parseRegex, type Query } from "../../../lib/library/search/query.ts";
import { matchPieces } from "../../../lib/library/search/query_match.ts";

function finds(query: Query | string, ...pieces: string[]): boolean {
  const parsed = typeof query === "string" ? parseQuery(query) : query;
  return matchPieces(parsed, pieces) !== undefined;
}

Deno.test("a word is found in any case and inside of words", () => {
  for (const query of ["ref", "REF", "parseRef", "eR", "ÉTÉ", "straße", "日本", "Σ"]) {
    assert.ok(finds(query, "x parseRef y", "été STRAßE", "今日本当", "ὀδυσσεύς"), query);
  }
  assert.ok(!finds("refs", "parseRef s"));
  assert.ok(!finds("strasse", "straße"));
});

Deno.test("words are all in one text, a phrase is in one piece of it", () => {
  assert.ok(finds("disk full", "the disk", "is full"));
  assert.ok(!finds("disk full", "the disk is empty"));
  assert.ok(finds('"disk full"', "no: disk\n   FULL"));
  assert.ok(!finds('"disk full"', "disk", "full"));
  assert.ok(!finds("diskfull", "disk", "full"));
});

Deno.test("OR, NOT, minus and parentheses combine; a prefix begins a word", () => {
  assert.ok(finds("a OR b", "b"));
  assert.ok(!finds("(aa OR bb) -cc", "aa cc"));
  assert.ok(finds("(aa OR bb) NOT cc", "aa"));
  assert.ok(finds("aa AND (bb OR (cc dd))", "dd cc aa"));
  assert.ok(finds("pars*", "a parser"));
  assert.ok(!finds("pars*", "unparsed"));
  assert.ok(!finds("pars*", "_parse"));
  assert.ok(finds('"parse e"*', "parse error"));
});

Deno.test("code is looked for as it is written", () => {
  const text = "const x = foo.bar(); --json src/lib/a_b.ts C:\\Users\\ada [x] a+b $HOME {};";
  for (
    const query of [
      "foo.bar()",
      "bar();",
      "--json",
      "a_b.ts",
      "lib/a_b",
      "C:\\Users",
      "a+b",
      "$HOME",
    ]
  ) assert.ok(finds(query, text), query);
  assert.ok(!finds("foo_bar()", text));
  assert.ok(!finds("a.b.ts", text));
});

Deno.test("a regular expression has its own flags, or looks in any case", () => {
  assert.ok(finds(parseRegex("todo\\(\\w+\\)"), "TODO(ada)"));
  assert.ok(!finds(parseRegex("/todo/"), "TODO"));
  assert.ok(finds(parseRegex("/^b$/m"), "a\nb"));
  assert.ok(finds(parseRegex("/a/y"), "x/A/Y"));
});

Deno.test("a query that makes no sense is refused with the reason", () => {
  const cases: [string, RegExp][] = [
    ["", /empty/],
    ["   ", /empty/],
    ['"open', /quotation mark is missing: "open/],
    ['""', /phrase is empty/],
    ["(a", /"\(" has no matching "\)"/],
    ["a)", /"\)" has no matching "\("/],
    ["()", /nothing before "\)"/],
    ["a OR", /nothing after OR/],
    ["AND a", /nothing before AND/],
    ["NOT", /nothing after NOT/],
    ["-a", /all words are excluded/],
    ["a OR NOT b", /all words are excluded/],
    ["a\x1bb", /control/],
    ["a ".repeat(65), /more than 64/],
    ["(".repeat(40) + "a" + ")".repeat(40), /too many nested/],
    ["a".repeat(2001), /too long/],
  ];
  for (const [query, reason] of cases) {
    assert.throws(() => parseQuery(query), (error) => {
      assert.ok(error instanceof SyntaxError);
      assert.match(error.message, reason);
      return true;
    }, query);
  }
  assert.throws(() => parseRegex("("), SyntaxError);
  assert.throws(() => parseRegex(""), SyntaxError);
});

Deno.test("whatever is written is a query or a SyntaxError", () => {
  const parts = ["a", "-", "(", ")", '"', "OR", "NOT", "AND", "*", " ", "é", "--", "\\"];
  let parsed = 0;
  for (let seed = 0; seed < 4000; seed++) {
    let text = "";
    for (let rest = seed * 7919; rest > 0; rest = Math.floor(rest / parts.length)) {
      text += `${parts[rest % parts.length]}${rest % 3 === 0 ? " " : ""}`;
    }
    try {
      parseQuery(text);
      parsed++;
    } catch (error) {
      assert.ok(error instanceof SyntaxError, text);
    }
  }
  assert.ok(parsed > 500, `${parsed}`);
});
