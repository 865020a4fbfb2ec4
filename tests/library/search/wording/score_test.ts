import assert from "node:assert/strict";
import { scoreTurns, weightOf } from "../../../../lib/library/search/wording/score.ts";

/** Hundred turns of ten words, of which some have words of a question. */
function turnsWith(...some: [words: number, length: number][]): Parameters<typeof scoreTurns>[0] {
  const others = Array.from({ length: 100 - some.length }, () => [0, 10] as const);
  const all = [...some, ...others];
  return { words: all.map(([words]) => words), lengths: all.map(([, length]) => length) };
}

Deno.test("scoreTurns weighs rare words more, and short turns", () => {
  const { scores, weights } = scoreTurns(turnsWith([0b01, 10], [0b10, 10], [0b10, 10]), 2);
  assert.ok((scores[0] ?? 0) > (scores[1] ?? 0));
  assert.equal(scores[1], scores[2]);
  assert.equal(scores[3], 0);
  assert.equal(weights[0], Math.log(1 + 99.5 / 1.5));
  const by_length = scoreTurns(turnsWith([1, 5], [1, 10], [1, 40]), 1).scores;
  assert.ok((by_length[0] ?? 0) > (by_length[1] ?? 0) && (by_length[1] ?? 0) > (by_length[2] ?? 0));
});

Deno.test("scoreTurns is the formula of decision 225", () => {
  const { scores } = scoreTurns({ words: [0b11, 0, 0b10], lengths: [4, 9, 2] }, 2);
  const [one, other] = [Math.log(1 + 2.5 / 1.5), Math.log(1 + 1.5 / 2.5)];
  const expected = (one + other) * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 4 / 5));
  assert.ok(Math.abs((scores[0] ?? 0) - expected) < 1e-12);
});

Deno.test("a turn is strong with two rare words, not with one", () => {
  const { isStrong } = scoreTurns(turnsWith([0b11, 10], [0b01, 1], [0b10, 1]), 2);
  assert.deepEqual([0, 1, 2, 50].map(isStrong), [true, false, false, false]);
});

Deno.test("a turn is not strong with few of many words", () => {
  const turns = turnsWith([0b11, 10]);
  assert.deepEqual([2, 8].map((count) => scoreTurns(turns, count).isStrong(0)), [true, false]);
});

Deno.test("scoreTurns has all 32 bits of a question, and no score without turns", () => {
  const { scores, weights } = scoreTurns({ words: [-1, 1 << 31], lengths: [32, 1] }, 32);
  assert.equal(weights.length, 32);
  assert.ok(scores.every((score) => score > 0));
  assert.ok(weightOf(-1, weights) > weightOf(1 << 31, weights));
  assert.equal(scoreTurns({ words: [], lengths: [] }, 1).scores.length, 0);
});
