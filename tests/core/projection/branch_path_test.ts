import assert from "node:assert/strict";
import { BackwardPath, BranchPath, branchPoint } from "../../../lib/core/projection/branch_path.ts";
import { decodeEvent } from "../../../lib/core/event/decode.ts";

function onPath(branches: [seq: number, from_seq: number][], end: number): number[] {
  const path = new BranchPath(branches.map(([seq, from_seq]) => ({ seq, from_seq })), end);
  return Array.from({ length: 12 }, (_, index) => index + 1).filter((seq) => path.has(seq));
}

Deno.test("a log without branches is the way to its last event", () => {
  assert.ok(new BranchPath([]).is_whole);
  assert.deepEqual(onPath([], 4), [1, 2, 3, 4]);
});

Deno.test("a branch leaves the events between it and the one that it goes on from", () => {
  assert.deepEqual(onPath([[6, 3]], 8), [1, 2, 3, 6, 7, 8]);
});

Deno.test("the way to an event that was left is the one before the branch", () => {
  assert.deepEqual(onPath([[6, 3]], 5), [1, 2, 3, 4, 5]);
});

Deno.test("a branch that goes back to a left event leaves the branch between", () => {
  assert.deepEqual(onPath([[6, 3], [9, 5]], 10), [1, 2, 3, 4, 5, 9, 10]);
});

Deno.test("branches on one way leave both stretches", () => {
  assert.deepEqual(onPath([[5, 3], [9, 6]], 10), [1, 2, 3, 5, 6, 9, 10]);
});

Deno.test("BackwardPath meets from the end what BranchPath holds", () => {
  const branches = [[5, 3], [8, 4], [11, 9]].map(([seq = 0, from_seq = 0]) => ({ seq, from_seq }));
  const events = Array.from({ length: 12 }, (_, index) => {
    const seq = index + 1;
    const from_seq = branches.find((branch) => branch.seq === seq)?.from_seq;
    const event = from_seq === undefined
      ? { seq, kind: "user_message", payload: { content: "a" } }
      : { seq, kind: "conversation_branched", payload: { from_seq } };
    return decodeEvent(event)!;
  });
  const walk = new BackwardPath();
  const met = events.toReversed().filter((event) => walk.has(event)).map(({ seq }) => seq);
  assert.deepEqual(met.toReversed(), onPath([[5, 3], [8, 4], [11, 9]], 12));
});

Deno.test("a branch that goes on from itself or from a later event is none", () => {
  for (const from_seq of [4, 5]) {
    const event = decodeEvent({ seq: 4, kind: "conversation_branched", payload: { from_seq } })!;
    assert.equal(branchPoint(event), undefined);
  }
});
