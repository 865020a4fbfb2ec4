import assert from "node:assert/strict";
import { timeLabel } from "../../lib/render/time_label.ts";

Deno.test("timeLabel gives a time to the reader's format, and shows what is no time as it is", () => {
  assert.equal(timeLabel("2026-11-21T20:21:53.123Z", (iso) => iso.slice(11, 16)), "20:21");
  assert.equal(timeLabel("2026-11-21T20:21:53.123Z"), "2026-11-21T20:21:53.123Z");
  assert.equal(timeLabel("yester\x1bday", () => "formatted"), "yester␛day");
});

Deno.test("timeLabel takes the bidi marks off that some locales write", () => {
  assert.equal(timeLabel("2026-11-21T20:21:53.123Z", () => "\u200f21.11\u200e"), "21.11");
});
