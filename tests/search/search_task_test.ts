import assert from "node:assert/strict";
import { parseQuery } from "../../lib/search/query.ts";
import { matchPieces } from "../../lib/search/query_match.ts";
import { makeSnippet } from "../../lib/search/search_task.ts";

function snippetOf(text: string, query: string): { text: string; marked: string[] } {
  const parsed = parseQuery(query);
  const match = matchPieces(parsed, [text]);
  assert.ok(match !== undefined);
  const snippet = makeSnippet(parsed, match);
  return { text: snippet.text, marked: snippet.ranges.map(([a, b]) => snippet.text.slice(a, b)) };
}

Deno.test("a snippet is one line around the match, all matches in it marked", () => {
  const found = snippetOf("one\n\n  two   three\ttwo", '"two  three" one');
  assert.deepEqual(found, { text: "one two three two", marked: ["one", "two three"] });
});

Deno.test("a snippet of a long text is cut on both sides, never through a character", () => {
  const found = snippetOf("🙂".repeat(400) + "Needle" + "🙂".repeat(400), "needle");
  assert.deepEqual(found.marked, ["Needle"]);
  assert.ok(found.text.startsWith("…") && found.text.endsWith("…"));
  assert.ok(found.text.length < 200 && found.text.isWellFormed());
});

Deno.test("a very long match is cut", () => {
  const found = snippetOf("x".repeat(5000), `"${"x".repeat(900)}"`);
  assert.equal(found.marked[0]?.length, 160);
});
