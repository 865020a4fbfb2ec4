import assert from "node:assert/strict";
import { retried } from "../../../lib/core/platform/retried.ts";

/** Fails some times, with an error that may pass. */
function failing(times: number): { calls: number; action: () => void } {
  const state = { calls: 0, action: () => {} };
  state.action = () => {
    state.calls += 1;
    if (state.calls <= times) throw new Error("busy");
  };
  return state;
}

const isBusy = (error: unknown): boolean => error instanceof Error && error.message === "busy";

Deno.test("a call is repeated while the file is in use", () => {
  const one = failing(3);
  const waited: number[] = [];
  retried(one.action, isBusy, (time) => waited.push(time));
  assert.equal(one.calls, 4);
  assert.deepEqual(waited, [10, 20, 40]);
});

Deno.test("a call that never succeeds fails after half a second", () => {
  const one = failing(Infinity);
  let waited = 0;
  assert.throws(() => retried(one.action, isBusy, (time) => waited += time), /busy/);
  assert.equal(waited, 510);
  assert.equal(one.calls, 7);
});

Deno.test("a call that fails for good is not repeated", () => {
  const one = failing(1);
  assert.throws(() => retried(one.action, () => false), /busy/);
  assert.equal(one.calls, 1);
});
