import assert from "node:assert/strict";
import { compareHits, type Ranked, scoreOf, TopHits } from "../../../lib/library/search/rank.ts";

const DAY = 86_400_000;
const NOW = 1000 * DAY;

function hit(seq: number, more: Partial<Ranked> = {}): Ranked {
  return { ref: "a", seq, role: "user", time: NOW, updated: NOW, score: 1, ...more };
}

Deno.test("a score grows with matching terms, shortness, newness and the speaker's rank", () => {
  const fit = { size: 1200, coverage: 1, whole: 0.5 };
  const facts = { ...fit, updated: NOW - DAY, role: "assistant" } as const;
  const score = scoreOf(facts, NOW);
  assert.ok(scoreOf({ ...facts, coverage: 0.5 }, NOW) < score);
  assert.ok(scoreOf({ ...facts, size: 9000 }, NOW) < score);
  assert.ok(scoreOf({ ...facts, updated: NOW - 90 * DAY }, NOW) < score);
  assert.ok(scoreOf({ ...facts, updated: NaN }, NOW) < score);
  assert.ok(scoreOf({ ...facts, whole: 0 }, NOW) < score);
  assert.ok(scoreOf({ ...facts, role: "tool" }, NOW) < score);
  assert.ok(scoreOf({ ...facts, role: "user" }, NOW) > score);
});

Deno.test("hits have one order, whatever order they come in", () => {
  const hits = [1, 2, 3, 4, 5, 6].flatMap((seq) => [
    hit(seq, { score: seq % 3 }),
    hit(seq, { score: seq % 3, role: "reasoning", time: NOW - seq * DAY }),
    hit(seq, { ref: "b", time: NaN }),
  ]);
  for (const sort of ["relevance", "time"] as const) {
    const sorted = [...hits].sort((a, b) => compareHits(sort, a, b));
    assert.deepEqual([...hits].reverse().sort((a, b) => compareHits(sort, a, b)), sorted);
    for (const limit of [1, 3, 18, 50]) {
      const top = new TopHits<Ranked>({ sort, limit });
      for (const one of hits) top.offer(one, () => one);
      assert.deepEqual(top.hits, sorted.slice(0, limit));
      assert.equal(top.total, 18);
    }
  }
});
