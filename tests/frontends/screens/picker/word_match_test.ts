import assert from "node:assert/strict";
import {
  comparable,
  markWords,
  matchWord,
} from "../../../../lib/frontends/screens/picker/word_match.ts";

function score(title: string, word: string): number {
  return matchWord(comparable(title), word)?.score ?? 0;
}

Deno.test("matchWord prefers a word of its own, then its beginning, then its middle", () => {
  assert.deepEqual(
    ["a log of it", "log", "Login", "the blog", "dialog, log", "none"].map((title) =>
      score(title, "log")
    ),
    [3, 3, 2, 1, 3, 0],
  );
  assert.equal(score("Café menu", "cafe"), 3);
  assert.equal(score("学校のページ", "ページ"), 1);
});

Deno.test("matchWord finds scattered letters within one word alone, the closer the better", () => {
  assert.equal(score("Add pagination to the list endpoint", "postgres"), 0);
  assert.equal(score("Add pagination to the list endpoint", "pool"), 0);
  assert.equal(score("Log in", "lgn"), 0);
  assert.ok(score("the parser", "prsr") > score("popular persons are", "prsr"));
  assert.ok(score("the parser", "prsr") < 1);
  assert.equal(score(`${"a".repeat(300)} z`, `${"a".repeat(20)}z`), 0);
  // Two letters are in nearly every word.
  assert.equal(score("the parser", "pr"), 0);
});

Deno.test("markWords marks the letters of each word, whatever is folded before them", () => {
  const marked = (text: string, ...words: string[]): string =>
    markWords(text, words, (run) => `[${run}]`);
  assert.equal(marked("Fix the Login page", "login", "fix"), "[Fix] the [Login] page");
  assert.equal(marked("Fix the parser", "prsr"), "Fix the [p]a[rs]e[r]");
  assert.equal(marked("ﬁx Café 学校のページ", "cafe", "学校"), "ﬁx [Café] [学校]のページ");
  assert.equal(marked("nothing", "else"), "nothing");
  assert.equal(marked("", "else"), "");
});
