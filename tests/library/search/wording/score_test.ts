import assert from "node:assert/strict";
import {
  scoreTurns,
  type TurnColumns,
  weightOf,
} from "../../../../lib/library/search/wording/score.ts";

type Turn = [words: number, length: number, prompts?: number];

/** Hundred turns of ten words, of which some have words of a question. */
function turnsWith(...some: Turn[]): TurnColumns {
  const all = [...some, ...Array.from({ length: 100 - some.length }, (): Turn => [0, 10])];
  return {
    words: all.map(([words]) => words),
    prompts: all.map(([, , prompts = 0]) => prompts),
    lengths: all.map(([, length]) => length),
  };
}

Deno.test("scoreTurns weighs rare words more, and short turns", () => {
  const { scores, weights } = scoreTurns(turnsWith([0b01, 10], [0b10, 10], [0b10, 10]), 2);
  assert.ok((scores[0] ?? 0) > (scores[1] ?? 0));
  assert.equal(scores[1], scores[2]);
  assert.equal(scores[3], 0);
  assert.equal(weights[0], Math.log(1 + 99.5 / 1.5));
  const by_length = scoreTurns(turnsWith([1, 8], [1, 10], [1, 40]), 1).scores;
  assert.ok((by_length[0] ?? 0) > (by_length[1] ?? 0) && (by_length[1] ?? 0) > (by_length[2] ?? 0));
});

Deno.test("scoreTurns weighs words of a prompt more than those of an answer", () => {
  const { scores } = scoreTurns(turnsWith([1, 10, 1], [1, 10, 0], [1, 20, 1]), 1);
  assert.ok((scores[0] ?? 0) > (scores[1] ?? 0) && (scores[2] ?? 0) > (scores[1] ?? 0));
});

Deno.test("a turn of a few words does not win by its length", () => {
  const { scores } = scoreTurns(turnsWith([1, 1], [1, 5], [1, 10]), 1);
  assert.equal(scores[0], scores[1]);
  assert.ok((scores[1] ?? 0) > (scores[2] ?? 0));
});

Deno.test("scoreTurns is the formula of decision 299", () => {
  const turns = { words: [0b11, 0, 0b10], prompts: [0b01, 0, 0b10], lengths: [4, 9, 2] };
  const { scores } = scoreTurns(turns, 2);
  const [one, other] = [Math.log(1 + 2.5 / 1.5), Math.log(1 + 1.5 / 2.5)];
  const damping = (length: number): number => 1.2 * (0.4 + 0.6 * length);
  const first = one * 2 * 2.2 / (2 + damping(4 / 5)) + other * 2.2 / (1 + damping(4 / 5));
  const third = other * 2 * 2.2 / (2 + damping(0.7));
  assert.ok(Math.abs((scores[0] ?? 0) - first) < 1e-12);
  assert.ok(Math.abs((scores[2] ?? 0) - third) < 1e-12);
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
  const { scores, weights } = scoreTurns({
    words: [-1, 1 << 31],
    prompts: [1 << 31, -1],
    lengths: [32, 1],
  }, 32);
  assert.equal(weights.length, 32);
  assert.ok(scores.every((score) => score > 0));
  assert.ok(weightOf(-1, weights) > weightOf(1 << 31, weights));
  assert.equal(scoreTurns({ words: [], prompts: [], lengths: [] }, 1).scores.length, 0);
});
