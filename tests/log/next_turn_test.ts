import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { nextTurn } from "../../lib/log/next_turn.ts";

/** Reads on until the system has answered, and counts the turns that it took. */
async function turnsUntilAnswered(turn: () => Promise<void>): Promise<number> {
  let answered = false;
  const answer = Deno.readTextFile(new URL(import.meta.url)).then(() => answered = true);
  let turns = 0;
  while (!answered) {
    const start = performance.now();
    while (performance.now() - start < 5) { /* as reading would */ }
    await turn();
    turns++;
  }
  await answer;
  return turns;
}

Deno.test("nextTurn lets in what the system has to say, though more is to be read at once", async () => {
  await nextTurn(0);
  assert.ok(await turnsUntilAnswered(() => nextTurn(0)) < 20);
  assert.ok(await turnsUntilAnswered(() => nextTurn()) < 25);
});

Deno.test("nextTurn lets timers and immediates run first", async () => {
  const ran: string[] = [];
  setImmediate(() => void ran.push("immediate"));
  await nextTurn();
  assert.deepEqual(ran, ["immediate"]);
});
