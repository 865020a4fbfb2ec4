import assert from "node:assert/strict";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { wholeSummary } from "../../../lib/core/projection/active_time.ts";
import { summary } from "../../../lib/core/projection/summary.ts";
import { knownEvents, unparsed } from "../../_support/known_events.ts";
import { assistant, user } from "../../_support/log_bytes.ts";

const DAY = "2026-11-21T";

function prompt(time: string): LogEvent {
  const [event] = knownEvents([user("Question")]);
  return { ...event as LogEvent, time: DAY + time };
}

function activeOf(...events: readonly LogEvent[]): number | undefined {
  return foldEvents(wholeSummary(), events).active_ms;
}

Deno.test("active time adds up pauses of at most five minutes", () => {
  assert.equal(activeOf(), 0);
  assert.equal(activeOf(prompt("10:00:00Z")), 0);
  assert.equal(activeOf(prompt("10:00:00Z"), prompt("10:05:00Z")), 300_000);
  assert.equal(activeOf(prompt("10:00:00Z"), prompt("10:05:00.001Z")), 0);
  const calls = ["10:04:00Z", "10:08:00Z"].map((time, at) =>
    unparsed(2 + at, "tool_end", DAY + time)
  );
  assert.equal(activeOf(prompt("10:00:00Z"), ...calls, prompt("18:00:00Z")), 480_000);
});

Deno.test("active time ignores housekeeping, missing times and copies of earlier events", () => {
  const renamed = unparsed(2, "session_renamed", `${DAY}10:04:00Z`);
  assert.equal(activeOf(prompt("10:00:00Z"), renamed, prompt("10:08:00Z")), 0);
  const timeless = [unparsed(2, "tool_end"), unparsed(3, "tool_end", "yesterday")];
  assert.equal(activeOf(prompt("10:00:00Z"), ...timeless, prompt("10:01:00Z")), 60_000);
  const copies = [prompt("10:00:00Z"), prompt("10:01:00Z")];
  assert.equal(activeOf(...copies, ...copies, prompt("10:02:00Z")), 120_000);
});

Deno.test("a summary of a whole session is the usual one with its active time", () => {
  const events = knownEvents([user("Question"), assistant("Answer")]);
  const { active_ms, ...row } = foldEvents(wholeSummary(), events);
  assert.deepEqual(row, foldEvents(summary(), events));
  assert.equal(active_ms, 1000);
});
