import assert from "node:assert/strict";
import { excerpt } from "../../../lib/core/projection/excerpt.ts";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { SUMMARY_KINDS } from "../../../lib/core/event/policy.ts";
import {
  applySummary,
  stateAtCheckpoint,
  summary,
  toCheckpoint,
  toSummary,
} from "../../../lib/core/projection/summary.ts";
import { draft, knownEvents } from "../../_support/known_events.ts";
import { user } from "../../_support/log_bytes.ts";

const HEADER = {
  session_id: "s1",
  created_at: "2026-11-21T20:00:00.000Z",
  cwd: "/home/ada",
};

function answer(content: string, more: object): NewEvent {
  return draft("assistant_message", { content, ...more });
}

Deno.test("excerpt makes one line of a text and cuts it well-formed", () => {
  assert.equal(excerpt("\n a \u2028 b\t"), "a b");
  assert.equal(excerpt("x".repeat(300)), "x".repeat(300));
  assert.equal(excerpt("x".repeat(301)), "x".repeat(299) + "…");
  const cut = excerpt("x".repeat(298) + "😀😀");
  assert.equal(cut, "x".repeat(298) + "…");
  assert.ok(cut.isWellFormed());
});

Deno.test("a fold from a checkpoint goes on as the fold of the whole log", () => {
  const before = [
    draft("session_started", HEADER),
    user("first"),
    answer("a", { model: "m1", usage: { input: 3 }, cost_usd: 0.1 }),
    draft("session_renamed", { title: "T" }),
    draft("session_archived", { archived: true }),
  ];
  const after = knownEvents(
    [user("steer"), answer("b", { model: "m2", usage: { input: 4 }, cost_usd: 0.2 })],
    before.length + 1,
  );
  const state = knownEvents(before).reduce(applySummary, summary().initial());
  const resumed = stateAtCheckpoint(HEADER, toCheckpoint(state));
  resumed.turn_id = state.turn_id;
  const whole = toSummary(after.reduce(applySummary, state));
  assert.deepEqual(toSummary(after.reduce(applySummary, resumed)), whole);
  assert.equal(whole.message_count, 4);
});

Deno.test("summary needs no kind that it does not count", () => {
  assert.equal(summary().needs, SUMMARY_KINDS);
  assert.equal(SUMMARY_KINDS.has("tool_end"), false);
});
