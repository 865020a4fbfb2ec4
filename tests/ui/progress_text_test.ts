import assert from "node:assert/strict";
import { progressText } from "../../lib/ui/progress.ts";

Deno.test("the rate and the time left are told once work has gone on for a second", () => {
  const text = (done: number, all: number, elapsed_ms: number): string =>
    progressText({ done, all, elapsed_ms }, String);
  assert.equal(text(3, 9, 500), "3 of 9");
  assert.equal(text(0, 9, 5000), "0 of 9");
  assert.equal(text(3, 9, 1500), "3 of 9 · 2/s · 3.0 s left");
  assert.equal(text(100, 60_000, 1000), "100 of 60000 · 100/s · 9m 59s left");
  assert.equal(text(9, 9, 3000), "9 of 9 · 3/s");
  // A file that grew meanwhile.
  assert.equal(text(12, 9, 3000), "9 of 9 · 4/s");
});
