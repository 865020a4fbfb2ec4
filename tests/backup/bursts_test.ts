import assert from "node:assert/strict";
import { Bursts } from "../../lib/backup/bursts.ts";

Deno.test("many notices at once are a burst, as many one after the other are none", () => {
  const bursts = new Bursts<string>();
  const slow = Array.from({ length: 20 }, (_, index) => bursts.isDue("claude", index * 100));
  assert.ok(slow.every((is) => !is));
  const fast = Array.from({ length: 20 }, () => bursts.isDue("claude", 5000));
  assert.deepEqual([fast[0], fast.at(-1), bursts.isDue("pi", 5000)], [false, true, false]);
});
