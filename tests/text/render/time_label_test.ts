import assert from "node:assert/strict";
import { formatDuration, timeLabel } from "../../../lib/text/render/time_label.ts";

Deno.test("timeLabel gives a time to the reader's format, and shows what is no time as it is", () => {
  assert.equal(timeLabel("2026-11-21T20:21:53.123Z", (iso) => iso.slice(11, 16)), "20:21");
  assert.equal(timeLabel("2026-11-21T20:21:53.123Z"), "2026-11-21T20:21:53.123Z");
  assert.equal(timeLabel("yester\x1bday", () => "formatted"), "yester␛day");
});

Deno.test("timeLabel takes the bidi marks off that some locales write", () => {
  assert.equal(timeLabel("2026-11-21T20:21:53.123Z", () => "\u200f21.11\u200e"), "21.11");
});

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
