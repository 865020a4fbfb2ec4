import assert from "node:assert/strict";
import { fuzzyScore, fuzzyText } from "../../../lib/screens/picker/fuzzy_match.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";

function score(text: string, pattern: string): number | undefined {
  return fuzzyScore(fuzzyText(text, text.toLowerCase()), pattern);
}

Deno.test("scores are those of fzf: matches, boundaries, runs, and gaps", () => {
  const [match, white, delimiter, boundary, camel, run] = [16, 10, 9, 8, 7, 4];
  const [gap, more] = [-3, -1];
  // The cases of fzf's `TestFuzzyMatch` (src/algo/algo_test.go), scheme `default`.
  const cases: [string, string, number][] = [
    ["fooBarbaz1", "obz", 3 * match + camel + gap + 3 * more],
    ["foo bar baz", "fbb", 3 * match + 2 * white + 2 * white + 2 * gap + 4 * more],
    ["/AutomatorDocument.icns", "rdoc", 4 * match + camel + 2 * run],
    ["/man1/zshcompctl.1", "zshc", 4 * match + 2 * delimiter + 3 * delimiter],
    ["/.oh-my-zsh/cache", "zshc", 4 * match + 2 * boundary + 2 * boundary + gap + delimiter],
    ["ab0123 456", "12356", 5 * match + 3 * run + gap + more],
    ["foo/bar/baz", "fbb", 3 * match + 2 * white + 2 * delimiter + 2 * gap + 4 * more],
    ["fooBarBaz", "fbb", 3 * match + 2 * white + 2 * camel + 2 * gap + 2 * more],
    ["foo barbaz", "fbb", 3 * match + 2 * white + white + 2 * gap + 3 * more],
    ["fooBar Baz", "foob", 4 * match + 2 * white + 3 * white],
    ["xFoo-Bar Baz", "foo-b", 5 * match + 2 * camel + 2 * camel + 2 * boundary],
  ];
  for (const [text, pattern, expected] of cases) {
    assert.equal(score(text, pattern), expected, `${pattern} in ${text}`);
  }
  assert.equal(score("fooBarbaz", "foobarbazz"), undefined);
  assert.equal(score("anything", ""), 0);
});

Deno.test("a boundary is better than the middle of a word, and a run better than a gap", () => {
  const better: [string, string, string][] = [
    ["fuzzy-finder", "fuzzyfinder", "ff"],
    ["fo-bar", "foob-r", "br"],
    ["foobar", "foo-bar", "foob"],
    ["out-of-bound", "foobar", "oob"],
    ["ongoing", "to-go", "og"],
  ];
  // The examples of the header of fzf's algo.go.
  for (const [one, other, pattern] of better) {
    assert.ok((score(one, pattern) ?? 0) > (score(other, pattern) ?? 0), `${one}, ${other}`);
  }
});

const LETTERS = "abAB1 /-é学";

function texts(count: number, most: number, seed: number): string[] {
  const random = mulberry32(seed);
  return Array.from(
    { length: count },
    () =>
      Array.from(
        { length: Math.floor(random() * most) },
        () => LETTERS[Math.floor(random() * LETTERS.length)],
      ).join(""),
  );
}

function isSubsequence(text: string, pattern: string): boolean {
  let at = 0;
  for (const letter of text) if (letter === pattern[at]) at++;
  return at === pattern.length;
}

Deno.test("a text scores if it has all letters in their order, and only then", () => {
  const patterns = texts(40, 5, 2).map((text) => text.toLowerCase());
  let found = 0;
  for (const text of texts(300, 12, 1)) {
    for (const pattern of patterns) {
      const is = isSubsequence(text.toLowerCase(), pattern);
      assert.equal(score(text, pattern) !== undefined, is, `${pattern} in ${text}`);
      found += Number(is);
    }
  }
  assert.ok(found > 1000, `${found}`);
});

Deno.test("no score is above that of a run at a boundary, and text behind changes none", () => {
  for (const pattern of texts(60, 6, 3).map((text) => text.toLowerCase())) {
    for (const text of texts(60, 20, 4)) {
      const own = score(text, pattern);
      if (own === undefined) continue;
      const most = pattern.length * 26 + 10;
      assert.ok(own >= 0 && own <= most, `${pattern} in ${text}: ${own}`);
      assert.equal(score(`${text}~~~`, pattern), own);
      // More to choose from is never worse.
      assert.ok((score(`${text} ${text}`, pattern) ?? -1) >= own);
    }
  }
});

Deno.test("a text of any length is matched in its first characters", () => {
  assert.equal(score("x".repeat(100_000) + "y", "y"), undefined);
  assert.equal(score("y" + "x".repeat(100_000), "y"), 36);
  assert.equal(score("x".repeat(300), "x".repeat(301)), undefined);
  assert.ok((score("x".repeat(300), "x".repeat(300)) ?? 0) > 0);
});
