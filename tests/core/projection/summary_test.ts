import assert from "node:assert/strict";
import { excerpt } from "../../../lib/core/projection/excerpt.ts";
import type { LogEvent, NewEvent } from "../../../lib/core/event/envelope.ts";
import { SUMMARY_KINDS } from "../../../lib/core/event/policy.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import {
  applySummary,
  type LogSummary,
  stateAtCheckpoint,
  summary,
  type SummaryState,
  toCheckpoint,
  toSummary,
} from "../../../lib/core/projection/summary.ts";
import { FULL_PAYLOADS } from "../../_support/every_kind.ts";
import { draft, fold, knownEvents, unparsed } from "../../_support/known_events.ts";
import { toolStart, user } from "../../_support/log_bytes.ts";

const HEADER = draft("session_started", {
  session_id: "s1",
  created_at: "2026-11-21T20:00:00.000Z",
  cwd: "/home/ada",
});

function summaryOf(...drafts: NewEvent[]): LogSummary {
  return fold(summary(), ...drafts);
}

function stateOf(events: readonly LogEvent[]): SummaryState {
  return events.reduce(applySummary, summary().initial());
}

function answer(content: string, more: object = {}): NewEvent {
  return draft("assistant_message", { content, ...more });
}

/** A prompt of a turn, or of none. */
function prompt(turn_id: string | undefined): NewEvent {
  const payload = { content: "p" };
  return { kind: "user_message", payload, ...(turn_id === undefined ? {} : { turn_id }) };
}

function renamed(title: string): NewEvent {
  return draft("session_renamed", { title });
}

Deno.test("summary says where and when the session began", () => {
  const parent = { session_id: "p1", seq: 3, reason: "fork" };
  const header = draft("session_started", {
    session_id: "s1",
    created_at: "2026-11-21T20:00:00.000Z",
    cwd: "/home/ada",
    parent,
  });
  const { session_id, created_at, cwd, parent: from, findings } = summaryOf(header, user("p"));
  assert.deepEqual([session_id, created_at, cwd, from], [
    "s1",
    "2026-11-21T20:00:00.000Z",
    "/home/ada",
    parent,
  ]);
  assert.deepEqual(findings, []);
});

Deno.test("the first session_started counts, one that was copied later does not", () => {
  const other = draft("session_started", { session_id: "s2", created_at: "", cwd: "/other" });
  assert.equal(summaryOf(HEADER, user("p"), other).session_id, "s1");
});

Deno.test("a log without session_started is summarized, and reported", () => {
  const { session_id, title, findings, message_count } = summaryOf(user("p"));
  assert.deepEqual([session_id, title, message_count], ["", "p", 1]);
  assert.equal("cwd" in summaryOf(user("p")), false);
  assert.deepEqual(findings.map(({ code }) => code), ["missing-header"]);
  assert.deepEqual(summaryOf().findings, []);
});

Deno.test("the title is the last rename, else the one it began with, else the first message", () => {
  const titled = draft("session_started", { ...FULL_PAYLOADS.session_started, title: "Began as" });
  assert.equal(summaryOf(HEADER, user(" Fix\n the\tbug "), user("later")).title, "Fix the bug");
  assert.equal(summaryOf(titled, user("first")).title, "Began as");
  assert.equal(summaryOf(titled, user("first"), renamed("A"), renamed("B\n2")).title, "B 2");
  assert.equal(summaryOf(HEADER, renamed("A"), user("first"), renamed("")).title, "first");
  assert.equal(summaryOf(HEADER).title, "");
});

Deno.test("first and last user message are the ones that have text", () => {
  const file = draft("user_message", {
    content: [{ type: "file", media_type: "text/plain", path: "a", sha256: "", bytes: 1 }],
  });
  const row = summaryOf(file, user("one"), user(" \n"), user("two"), file);
  assert.deepEqual([row.first_user_message, row.last_user_message], ["one", "two"]);
  assert.equal(row.message_count, 5);
  assert.equal("first_user_message" in summaryOf(file), false);
});

Deno.test("excerpt makes one line of a text and cuts it well-formed", () => {
  assert.equal(excerpt("\n a \u2028 b\t"), "a b");
  assert.equal(excerpt("x".repeat(300)), "x".repeat(300));
  assert.equal(excerpt("x".repeat(301)), "x".repeat(299) + "…");
  const cut = excerpt("x".repeat(298) + "😀😀");
  assert.equal(cut, "x".repeat(298) + "…");
  assert.ok(cut.isWellFormed());
});

Deno.test("updated_at and last_seq are the last event's, whatever its kind", () => {
  const events = [
    ...knownEvents([HEADER, user("p")]),
    unparsed(3, "diff", "2027-01-01T00:00:00.000Z"),
  ];
  const { updated_at, last_seq } = foldEvents(summary(), events);
  assert.deepEqual([updated_at, last_seq], ["2027-01-01T00:00:00.000Z", 3]);
  assert.equal("updated_at" in summaryOf(), false);
});

Deno.test("message_count counts prompts, and answers that have text", () => {
  const row = summaryOf(
    HEADER,
    user("p"),
    answer(""),
    toolStart("c1"),
    answer("done"),
    draft("assistant_interrupted", { content: "ha" }),
    draft("assistant_interrupted", { content: "" }),
  );
  assert.equal(row.message_count, 3);
});

Deno.test("turn_count counts prompts, those of one turn in a row once", () => {
  assert.equal(summaryOf(...["t1", "t1", "t2", "t1"].map(prompt)).turn_count, 3);
  assert.equal(summaryOf(...[undefined, undefined, "t1", undefined].map(prompt)).turn_count, 4);
});

Deno.test("usage, cost and models are added up; what never occurs is absent", () => {
  const row = summaryOf(
    answer("a", { model: "m1", usage: { input: 1, output: 2 }, cost_usd: 0.25 }),
    answer("b", { model: "m2", usage: { input: 10, cache_read: 5, cache_write: 0 } }),
    answer("c", { model: "m1", cost_usd: 0.5 }),
  );
  assert.deepEqual(row.usage, { input: 11, output: 2, cache_read: 5, cache_write: 0 });
  assert.deepEqual([row.cost_usd, row.models], [0.75, ["m1", "m2"]]);
  assert.equal("cost_usd" in summaryOf(answer("a")), false);
});

Deno.test("the last archive event decides", () => {
  const archived = (value: boolean): NewEvent => draft("session_archived", { archived: value });
  assert.equal(summaryOf(user("p")).archived, false);
  assert.equal(summaryOf(user("p"), archived(true)).archived, true);
  assert.equal(summaryOf(user("p"), archived(true), archived(false)).archived, false);
});

Deno.test("a session is closed only where that is its last event", () => {
  const closed = draft("session_closed", { status: "failed" });
  assert.equal(summaryOf(user("p"), closed).closed, "failed");
  assert.equal("closed" in summaryOf(user("p"), closed, user("q")), false);
  const events = [...knownEvents([user("p"), closed]), unparsed(3)];
  assert.equal("closed" in foldEvents(summary(), events), false);
});

Deno.test("a fold from a checkpoint goes on as the fold of the whole log", () => {
  const before = [
    HEADER,
    user("first"),
    answer("a", { model: "m1", usage: { input: 3 }, cost_usd: 0.1 }),
    renamed("T"),
    draft("session_archived", { archived: true }),
  ];
  const after = knownEvents(
    [user("steer"), answer("b", { model: "m2", usage: { input: 4 }, cost_usd: 0.2 })],
    before.length + 1,
  );
  const started = HEADER.kind === "session_started" ? HEADER.payload : undefined;
  const state = stateOf(knownEvents(before));
  const resumed = stateAtCheckpoint(started, toCheckpoint(state));
  resumed.turn_id = state.turn_id;
  const whole = toSummary(after.reduce(applySummary, state));
  assert.deepEqual(toSummary(after.reduce(applySummary, resumed)), whole);
  assert.equal(whole.message_count, 4);
});

Deno.test("a checkpoint that does not say what the log says is reported", () => {
  const events = knownEvents([HEADER, user("p")]);
  const right = toCheckpoint(stateOf(events));
  const [fits] = knownEvents([draft("session_checkpoint", right)], 3);
  const wrong = { ...right, message_count: 9, title: "x" };
  const [stale] = knownEvents([draft("session_checkpoint", wrong)], 3);
  assert.ok(fits && stale);
  assert.deepEqual(foldEvents(summary(), [...events, fits]).findings, []);
  assert.deepEqual(foldEvents(summary(), [...events, stale]).findings, [{
    code: "stale-checkpoint",
    seq: 3,
    detail: "message_count is 9, not 1; title is x, not undefined",
  }]);
  assert.equal(foldEvents(summary(), [...events, stale]).message_count, 1);
});

Deno.test("a checkpoint is not judged by a fold that began in the middle", () => {
  const [, late] = knownEvents([HEADER, user("p")]);
  const [stale] = knownEvents(
    [FULL_PAYLOADS.session_checkpoint].map((payload) => draft("session_checkpoint", payload)),
    3,
  );
  assert.ok(late && stale);
  const codes = foldEvents(summary(), [late, stale]).findings.map(({ code }) => code);
  assert.deepEqual(codes, ["missing-header"]);
});

Deno.test("summary needs no kind that it does not count", () => {
  assert.equal(summary().needs, SUMMARY_KINDS);
  assert.equal(SUMMARY_KINDS.has("tool_end"), false);
});

Deno.test("does not count hidden user messages", () => {
  const row = summaryOf(
    HEADER,
    draft("user_message", { content: [{ type: "text", text: "Be kind.", audience: "model" }] }),
    draft("user_message", {
      content: [
        { type: "text", text: "Review all.", audience: "model" },
        { type: "text", text: "/review", audience: "user" },
      ],
    }),
    draft("assistant_message", { content: [{ type: "text", text: "x", audience: "model" }] }),
  );
  assert.deepEqual(
    [row.message_count, row.turn_count, row.first_user_message, row.title],
    [1, 1, "/review", "/review"],
  );
});
