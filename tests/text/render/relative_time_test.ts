import assert from "node:assert/strict";
import { relativeTime } from "../../../lib/text/render/relative_time.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");

function ago(seconds: number): string {
  return relativeTime(NOW)(new Date(NOW - 1000 * seconds).toISOString());
}

Deno.test("a time of this week says how long ago it was, in one unit", () => {
  const minute = 60;
  const hour = 60 * minute;
  const day = 24 * hour;
  const cases: [number, string][] = [
    [0, "now"],
    [59.9, "now"],
    [minute, "1m ago"],
    [hour - 1, "59m ago"],
    [hour, "1h ago"],
    [2 * hour + 59 * minute, "2h ago"],
    [day - 1, "23h ago"],
    [day, "1d ago"],
    [7 * day - 1, "6d ago"],
  ];
  for (const [seconds, text] of cases) assert.equal(ago(seconds), text);
});

Deno.test("an older time, and one to come, is a day; clocks may differ by a minute", () => {
  assert.equal(ago(7 * 86_400), "2026-11-14");
  assert.equal(ago(400 * 86_400), "2025-10-17");
  assert.equal(ago(-30), "now");
  assert.equal(ago(-2 * 86_400), "2026-11-23");
});
