import assert from "node:assert/strict";
import { parseQuery } from "../../../../lib/library/search/query.ts";
import {
  baseOf,
  excludedParts,
  forEachWord,
  questionWords,
  wordNumber,
} from "../../../../lib/library/search/wording/words.ts";

function wordsOf(text: string): string[] {
  const words: string[] = [];
  forEachWord(text, (word, at) => {
    assert.equal(text.slice(at, at + word.length), word);
    words.push(word);
  });
  return words;
}

Deno.test("forEachWord splits at all that is no letter or digit", () => {
  assert.deepEqual(wordsOf("don't parse_ref(v2), naïve—Straße."), [
    ...["don", "t", "parse", "ref", "v2", "naïve", "Straße"],
  ]);
  assert.deepEqual([wordsOf(""), wordsOf(" \n")], [[], []]);
  assert.deepEqual(wordsOf(`key ${"f".repeat(41)} end`), ["key", "end"]);
});

Deno.test("forEachWord splits texts without spaces into pairs of characters", () => {
  assert.deepEqual(wordsOf("错误处理 in 日本"), ["错误", "误处", "处理", "in", "日本"]);
  assert.deepEqual(wordsOf("一 b中"), ["一", "b", "中"]);
});

Deno.test("baseOf ignores case, accents and English endings", () => {
  assert.deepEqual(["Café", "CAFE", "Retries", "v2", "错误", "ПАРСЕР"].map(baseOf), [
    ...["cafe", "cafe", "retri", "v2", "错误", "парсер"],
  ]);
});

Deno.test("baseOf has one base for British and American spellings", () => {
  const pairs = [
    ...[["colours", "color"], ["behaviour", "behavior"], ["organised", "organizing"]],
    ...[["analyse", "analyzed"], ["licence", "license"], ["catalogue", "catalogs"]],
    ...[["centre", "centers"], ["programmes", "program"], ["greyed", "gray"]],
  ] as const;
  for (const [british, american] of pairs) assert.equal(baseOf(british), baseOf(american));
  const alike = [["hours", "hour"], ["precise", "precision"], ["revised", "revision"]] as const;
  for (const [one, other] of alike) assert.equal(baseOf(one), baseOf(other));
  assert.deepEqual(["four", "reference", "league"].map(baseOf), ["four", "refer", "leagu"]);
});

Deno.test("wordNumber differs for the words of a large text", () => {
  const numbers = new Set(Array.from({ length: 20_000 }, (_, at) => wordNumber(`w${at}`)));
  assert.ok(numbers.size > 19_990, `${numbers.size}`);
  assert.ok(Math.max(...numbers) < 2 ** 30);
});

Deno.test("questionWords leaves out common words, and all of a query of phrases", () => {
  const cases: [query: string, words: string[]][] = [
    ["How did we fix the retries of uploads?", ["fix", "retri", "upload"]],
    ["retry retries", ["retri"]],
    ["parse -error", ["pars"]],
    ['"disk full" upload*', ["disk", "full", "upload"]],
    ['"disk full"', []],
    ["what was that", []],
  ];
  for (const [query, words] of cases) {
    assert.deepEqual(questionWords(parseQuery(query)), words, query);
  }
  const many = Array.from({ length: 64 }, (_, at) => `word${at}`).join(" ");
  assert.equal(questionWords(parseQuery(many)).length, 32);
});

Deno.test("excludedParts returns what NOT and minus exclude", () => {
  const parts = excludedParts(parseQuery("parse -error NOT (a OR b)"));
  assert.deepEqual(parts.map(({ type }) => type), ["term", "or"]);
  assert.deepEqual(excludedParts(parseQuery("parse error")), []);
});
