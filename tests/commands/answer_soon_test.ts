import assert from "node:assert/strict";
import { answerSoon } from "../../commands/completions/refs.ts";

function refuse(): Promise<never> {
  return Promise.reject(new Error("not wanted"));
}

Deno.test("an answer that comes in time is taken, and so is its failure", async () => {
  assert.equal(await answerSoon(Promise.resolve("new"), 60_000, refuse), "new");
  await assert.rejects(answerSoon(Promise.reject(new TypeError("x")), 60_000, refuse), TypeError);
});

Deno.test("an answer that does not come is replaced by the quick one", async () => {
  const never = new Promise<string>(() => {});
  assert.equal(await answerSoon(never, 0, () => Promise.resolve("known")), "known");
});

Deno.test("waits for the answer if nothing is known yet", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const answer = answerSoon(promise, 0, () => {
    resolve("late");
    return Promise.resolve(undefined);
  });
  assert.equal(await answer, "late");
});
