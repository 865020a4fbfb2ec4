import assert from "node:assert/strict";
import {
  openWindows,
  type PlanRecord,
  planRecord,
  startOf,
} from "../../../lib/core/projection/plan_window.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-21T12:00:00Z");

function record(facts: Parameters<typeof planRecord>[0]): PlanRecord {
  const made = planRecord({ minutes: 300, recorded_ms: NOW, ...facts });
  assert.ok(made !== undefined, JSON.stringify(facts));
  return made;
}

Deno.test("the newest record of each length of window counts, whatever slot it was in", () => {
  const resets_ms = NOW + HOUR;
  const records = [
    record({ used_percent: 30, resets_ms, recorded_ms: NOW - 60_000 }),
    record({ used_percent: 9, minutes: 10_080 }),
    record({ used_percent: 62, resets_ms }),
    record({ used_percent: 70, resets_ms, limit: "Spark" }),
    record({ used_percent: 20, resets_ms, recorded_ms: NOW - 120_000 }),
  ];
  const open = openWindows("codex", records, NOW);
  assert.deepEqual(
    open.map(({ agent, limit, minutes, used_percent }) => [
      ...[agent, limit, minutes, used_percent],
    ]),
    [
      ["codex", undefined, 300, 62],
      ["codex", undefined, 10_080, 9],
      ["codex", "Spark", 300, 70],
    ],
  );
});

Deno.test("a window that has ended shows nothing, even if an older record would go on", () => {
  const older = record({ used_percent: 50, resets_ms: NOW + HOUR, recorded_ms: NOW - 2 * HOUR });
  const newer = record({ used_percent: 60, resets_ms: NOW, recorded_ms: NOW - HOUR });
  assert.deepEqual(openWindows("pi", [older, newer], NOW), []);
  assert.equal(openWindows("pi", [older], NOW).length, 1);
  // Without a reset it ends at the latest its own length after the record.
  const bare = record({ used_percent: 5 });
  assert.equal(openWindows("pi", [bare], NOW + 5 * HOUR - 1).length, 1);
  assert.equal(openWindows("pi", [bare], NOW + 5 * HOUR).length, 0);
});

Deno.test("a pace is told from ten percent and fifteen minutes on, if it ends before the window", () => {
  const paceOf = (used_percent: number, elapsed_minutes: number, now = NOW): string | undefined => {
    const start = NOW - elapsed_minutes * 60_000;
    const made = record({ used_percent, resets_ms: start + 5 * HOUR });
    assert.equal(startOf(made), start);
    return openWindows("pi", [made], now)[0]?.empty_at;
  };
  assert.equal(paceOf(50, 60), "2026-11-21T13:00:00.000Z");
  assert.equal(paceOf(10, 15), "2026-11-21T14:15:00.000Z");
  assert.equal(paceOf(9.9, 15), undefined);
  assert.equal(paceOf(90, 14), undefined);
  assert.equal(paceOf(20, 60), undefined, "lasts until the reset");
  assert.equal(paceOf(100, 60), undefined, "is empty already");
  assert.equal(paceOf(50, 60, NOW + HOUR), undefined, "the time has passed, and more was left");
});

Deno.test("numbers of no window make no record", () => {
  const bad = [
    { used_percent: -1 },
    { used_percent: NaN },
    { used_percent: 1, minutes: 0 },
    { used_percent: 1, minutes: 1e9 },
    { used_percent: 1, recorded_ms: NaN },
    { used_percent: 1, recorded_ms: 9e15 },
    {},
  ];
  for (const facts of bad) {
    assert.equal(planRecord({ minutes: 300, recorded_ms: NOW, ...facts }), undefined);
  }
  // An end that no such window has is left out, and lengths of early versions are rounded.
  assert.equal(record({ used_percent: 1, resets_ms: NOW + 7 * HOUR }).resets_at, undefined);
  assert.equal(record({ used_percent: 1, resets_ms: NaN }).resets_at, undefined);
  assert.deepEqual(
    [299, 10_079, 45].map((minutes) => record({ used_percent: 1, minutes }).minutes),
    [
      ...[300, 10_080, 45],
    ],
  );
  const future = record({ used_percent: 1, recorded_ms: NOW + 2 * HOUR });
  assert.deepEqual(openWindows("pi", [future], NOW), []);
});
