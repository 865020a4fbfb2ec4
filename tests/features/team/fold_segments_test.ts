/** Blocks of a branch that grows line by line. */
import assert from "node:assert/strict";
import { fillsBlock } from "../../../lib/features/team/push/fold_segments.ts";

Deno.test("a branch fills blocks that double up to the longest one", () => {
  const KIB = 1024;
  const filled: number[] = [];
  for (let to = KIB; to <= 4096 * KIB; to += KIB) {
    if (fillsBlock(to - KIB, to)) filled.push(to / KIB);
  }
  assert.deepEqual(filled, [32, 64, 128, 256, 512, 1024, 2048, 3072, 4096]);
  assert.equal(fillsBlock(0, 1024 * KIB), false);
});
