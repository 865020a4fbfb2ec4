import assert from "node:assert/strict";
import { formatDuration } from "../../lib/render/duration.ts";

Deno.test("formatDuration writes what a glance takes in", () => {
  const cases: [number, string][] = [
    [0, "<1 ms"],
    [-5e9, "<1 ms"],
    [NaN, "<1 ms"],
    [400_000, "<1 ms"],
    [12e6, "12 ms"],
    [999.4e6, "999 ms"],
    [999.6e6, "1.0 s"],
    [4.2e9, "4.2 s"],
    [59.94e9, "59.9 s"],
    [59.96e9, "1m 00s"],
    [187e9, "3m 07s"],
    [3_599.6e9, "1h 00m"],
    [3_725e9, "1h 02m"],
    [360_000e9, "100h 00m"],
  ];
  for (const [nanoseconds, text] of cases) assert.equal(formatDuration(nanoseconds), text);
});
