import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { timeInTurn } from "../../../lib/core/platform/loop_turn.ts";

function busy(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

Deno.test("long work of many callers takes a few milliseconds of each turn", async () => {
  let [pieces, most] = [0, 0];
  let is_over = false;
  const count = (): void => {
    most = Math.max(most, pieces);
    pieces = 0;
    if (!is_over) setImmediate(count);
  };
  setImmediate(count);
  let done = 0;
  const work = async (): Promise<void> => {
    for (let piece = 0; piece < 3; piece++) {
      await timeInTurn();
      busy(3);
      pieces++;
      done++;
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
  is_over = true;
  assert.equal(done, 18);
  // The rest of a turn that began, and the next one, may both lie between two counts.
  assert.ok(most <= 6, `${most}`);
});
