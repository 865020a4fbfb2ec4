import assert from "node:assert/strict";
import { namedThread, threadAt, threadsIn } from "../../../lib/core/store/log_threads.ts";

Deno.test("a log without branches has one thread", () => {
  assert.deepEqual(threadsIn([]), [{ id: "main", end: Infinity, own: [[1, Infinity]] }]);
});

Deno.test("a left branch is a thread of the one that it left, from its first event on", () => {
  assert.deepEqual(threadsIn([{ seq: 6, from_seq: 3 }]), [
    { id: "main", end: Infinity, own: [[6, Infinity], [1, 3]] },
    { id: "4", end: 5, parent: { thread: "main", seq: 3 }, own: [[4, 5]] },
  ]);
});

Deno.test("a branch that goes back to a left event makes that branch the main thread", () => {
  const threads = threadsIn([{ seq: 6, from_seq: 3 }, { seq: 9, from_seq: 5 }]);
  assert.deepEqual(threads, [
    { id: "main", end: Infinity, own: [[9, Infinity], [1, 5]] },
    { id: "6", end: 8, parent: { thread: "main", seq: 3 }, own: [[6, 8]] },
  ]);
});

Deno.test("a branch of a left branch names it as its parent", () => {
  const threads = threadsIn([{ seq: 8, from_seq: 5 }, { seq: 11, from_seq: 3 }]);
  assert.deepEqual(threads.map(({ id, parent, own }) => ({ id, parent, own })), [
    { id: "main", parent: undefined, own: [[11, Infinity], [1, 3]] },
    { id: "4", parent: { thread: "main", seq: 3 }, own: [[8, 10], [4, 5]] },
    { id: "6", parent: { thread: "4", seq: 5 }, own: [[6, 7]] },
  ]);
});

Deno.test("two branches in a row leave no thread of nothing", () => {
  const threads = threadsIn([{ seq: 6, from_seq: 3 }, { seq: 7, from_seq: 2 }]);
  assert.deepEqual(threads.map(({ id }) => id), ["main", "3"]);
});

Deno.test("any event of a thread names it", () => {
  const threads = threadsIn([{ seq: 6, from_seq: 3 }]);
  assert.equal(namedThread(threads, "5", "log").id, "4");
  assert.equal(namedThread(threads, "2", "log").id, "main");
  assert.equal(threadAt(threads, 7)?.id, "main");
  for (const name of ["x", "0"]) {
    assert.throws(
      () => namedThread(threads, name, "log"),
      /the session has none with this name/,
    );
  }
});
