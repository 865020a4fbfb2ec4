import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { usageWindows } from "../../../lib/core/projection/usage_windows.ts";
import type { SessionUsage } from "../../../lib/core/projection/usage_totals.ts";

const HOUR = 3_600_000;
const START = Date.parse("2026-11-21T10:00:00.000Z");

/** A session with an answer of 100 tokens and 10 cents at each time, in minutes from the start. */
function session(ref: string, ...minutes: number[]): SessionUsage {
  return {
    ref,
    agent: "claude",
    rows: minutes.map((minute) => ({
      day: new Date(START + 60_000 * minute).toISOString(),
      ...{ model: "m", messages: 1, usage: { input: 60, output: 40 }, cost_usd: 0.1 },
    })),
  };
}

function starts(...used: SessionUsage[]): string[] {
  return usageWindows(used, 0).map(({ group }) => group.slice(11, 16));
}

Deno.test("a window begins at the hour of its first answer, and lasts five hours", () => {
  // The cases of ccusage's own tests of `identifySessionBlocks`.
  assert.deepEqual(starts(), []);
  assert.deepEqual(starts(session("a", 0, 60, 120)), ["10:00"]);
  assert.deepEqual(starts(session("a", 0, 360)), ["10:00", "16:00"]);
  assert.deepEqual(starts(session("a", 0, 120, 480)), ["10:00", "18:00"]);
  assert.deepEqual(starts(session("a", 120), session("b", 0, 60)), ["10:00"]);
  assert.deepEqual(starts(session("a", 55)), ["10:00"]);
  // It is five hours from the hour on, not from the answer on.
  assert.deepEqual(starts(session("a", 55, 299)), ["10:00"]);
  assert.deepEqual(starts(session("a", 55, 301)), ["10:00", "15:00"]);
});

Deno.test("a window tells what all sessions took in it, how fast, and what it will take", () => {
  const used = [session("a", 5, 35), session("b", 65)];
  const [window] = usageWindows(used, START + 2 * HOUR);
  const { projected, cost_usd, cost_per_hour, ...rest } = window ?? {};
  assert.deepEqual(rest, {
    group: "2026-11-21T10:00:00.000Z",
    sessions: 2,
    messages: 3,
    usage: { input: 180, output: 120 },
    ends_at: "2026-11-21T15:00:00.000Z",
    last_at: "2026-11-21T11:05:00.000Z",
    active: true,
    tokens_per_minute: 5,
  });
  assert.equal(projected?.tokens, 300 + 5 * 180);
  assert.deepEqual(
    [cost_usd, cost_per_hour, projected?.cost_usd].map((cost) => cost?.toFixed(2)),
    ["0.30", "0.30", "1.20"],
  );
});

Deno.test("a window that ended is not active, and one answer has no rate", () => {
  const [ended] = usageWindows([session("a", 0, 60)], START + 5 * HOUR);
  assert.deepEqual([ended?.active, ended?.projected], [undefined, undefined]);
  const [single] = usageWindows([session("a", 0)], START + HOUR);
  assert.deepEqual([single?.active, single?.tokens_per_minute, single?.projected], [
    true,
    undefined,
    undefined,
  ]);
});

Deno.test("each answer with a time is in one window, and windows do not overlap", () => {
  const minutes = fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 30 });
  const property = fc.property(minutes, minutes, (one, other) => {
    const untimed = session("c", 0);
    for (const row of untimed.rows) row.day = "";
    const used = [session("a", ...one), session("b", ...other), untimed];
    const windows = usageWindows(used, START);
    const messages = windows.reduce((sum, window) => sum + window.messages, 0);
    assert.equal(messages, one.length + other.length);
    for (const [index, { group, ends_at, last_at }] of windows.entries()) {
      assert.equal(Date.parse(ends_at) - Date.parse(group), 5 * HOUR);
      assert.equal(Date.parse(group) % HOUR, 0);
      assert.ok(last_at >= group && last_at < ends_at);
      assert.ok((windows[index - 1]?.ends_at ?? "") <= group);
    }
  });
  fc.assert(property, { seed: 5 });
});
