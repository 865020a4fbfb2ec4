import assert from "node:assert/strict";
import { addSeq, findRun, type SeqRun } from "../../../lib/core/projection/seq_runs.ts";

function runsOf(...numbers: number[]): SeqRun[] {
  const runs: SeqRun[] = [];
  for (const [index, seq] of numbers.entries()) addSeq(runs, seq, index);
  return runs;
}

Deno.test("addSeq keeps a whole log as one run, and begins another at a gap or a repeat", () => {
  assert.deepEqual(runsOf(1, 2, 3, 4), [{ first: 1, last: 4, index: 0 }]);
  assert.deepEqual(runsOf(1, 2, 5, 6, 6, 4), [
    { first: 1, last: 2, index: 0 },
    { first: 5, last: 6, index: 2 },
    { first: 6, last: 6, index: 4 },
    { first: 4, last: 4, index: 5 },
  ]);
});

Deno.test("findRun finds the last run that holds a number", () => {
  const runs = runsOf(1, 2, 3, 2, 3, 7);
  assert.equal(findRun(runs, 1)?.index, 0);
  assert.equal(findRun(runs, 3)?.index, 3);
  assert.equal(findRun(runs, 7)?.index, 5);
});

Deno.test("findRun finds nothing for a number that no event has", () => {
  const runs = runsOf(1, 2, 3, 7);
  assert.equal(findRun(runs, 3)?.index, 0);
  for (const seq of [0, -1, 4, 6, 8, 2.5, Infinity, NaN]) {
    assert.equal(findRun(runs, seq), undefined, String(seq));
  }
  assert.equal(findRun([], 1), undefined);
});
