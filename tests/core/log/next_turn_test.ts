import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { nextTurn } from "../../../lib/core/log/next_turn.ts";
import { onUnix } from "../../_support/tests_in.ts";

/** Reads on until something comes through a pipe, and counts the turns that it took. */
async function turnsUntilHeard(turn: () => Promise<void>): Promise<number> {
  const echo = new Deno.Command("sh", { args: ["-c", "echo"], stdout: "piped" }).spawn();
  let heard = false;
  const hearing = echo.output().then(() => heard = true);
  let turns = 0;
  while (!heard) {
    const start = performance.now();
    while (performance.now() - start < 8) { /* as reading would */ }
    await turn();
    turns++;
  }
  await hearing;
  return turns;
}

onUnix.test("nextTurn lets in what comes from outside, though more is to be read at once", async () => {
  const turns = await turnsUntilHeard(() => nextTurn(0));
  assert.ok(turns < 31, `${turns}`);
});

Deno.test("nextTurn lets immediates run first", async () => {
  const ran: string[] = [];
  setImmediate(() => void ran.push("immediate"));
  await nextTurn();
  assert.deepEqual(ran, ["immediate"]);
});
