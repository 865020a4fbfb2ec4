import assert from "node:assert/strict";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { activityOf } from "../../../lib/core/projection/activity.ts";

/** Events a second apart. */
function eventsOf(...events: [kind: string, payload: object][]): LogEvent[] {
  return events.map(([kind, payload], index) =>
    ({
      ...{ seq: index + 1, kind, payload, form: "known", integrity: "unverified" },
      time: `2026-11-22T10:00:0${index}.000Z`,
    }) as LogEvent
  );
}

const CALL = { type: "tool_call", call_id: "c1", name: "Read", input: { path: "/x" } };
const ASK = ["user_message", { content: "Fix it" }] as [string, object];
const CALLED = ["assistant_message", { content: [{ type: "text", text: "I look" }, CALL] }] as [
  string,
  object,
];

Deno.test("the last events tell what a session does", () => {
  const since = (second: number): object => ({ since: `2026-11-22T10:00:0${second}.000Z` });
  const cases: [LogEvent[], object | undefined][] = [
    [[], undefined],
    [eventsOf(["session_renamed", { title: "x" }]), undefined],
    [eventsOf(ASK), { state: "answering", text: "Fix it", ...since(0) }],
    [
      eventsOf(ASK, CALLED),
      { state: "running", text: "", tool: "Read", input: { path: "/x" }, ...since(1) },
    ],
    [
      eventsOf(ASK, CALLED, ["tool_start", { call_id: "c1" }]),
      { state: "running", text: "", tool: "Read", input: { path: "/x" }, ...since(2) },
    ],
    [
      eventsOf(ASK, CALLED, ["tool_end", { call_id: "c1", name: "Read", status: "ok" }]),
      { state: "answering", text: "", ...since(2) },
    ],
    [
      eventsOf(ASK, ["assistant_message", { content: "Done" }]),
      { state: "waiting", text: "Done", ...since(1) },
    ],
    [
      eventsOf(
        ASK,
        ["assistant_message", { content: "Done" }],
        ["bash_start", { call_id: "b", command: "make", origin: "user" }],
        ["bash_end", { call_id: "b", command: "make", status: "ok" }],
      ),
      { state: "waiting", text: "Done", ...since(1) },
    ],
    [
      eventsOf(ASK, ["bash_start", { call_id: "b", command: "make", origin: "user" }]),
      { state: "running", text: "", tool: "bash", input: { command: "make" }, ...since(1) },
    ],
    [
      eventsOf(ASK, CALLED, ["turn_failed", { reason: "error", message: "no network" }]),
      { state: "failed", text: "no network", ...since(2) },
    ],
    [
      eventsOf(ASK, CALLED, ["assistant_interrupted", { content: "" }]),
      { state: "interrupted", text: "", ...since(2) },
    ],
    // A prompt ends what was open before it.
    [eventsOf(CALLED, ASK), { state: "answering", text: "Fix it", ...since(1) }],
  ];
  for (const [events, expected] of cases) assert.deepEqual(activityOf(events), expected);
});

Deno.test("the open one of two calls runs", () => {
  const two = ["assistant_message", {
    content: [CALL, { ...CALL, call_id: "c2", name: "Bash" }],
  }] as [
    string,
    object,
  ];
  const events = eventsOf(ASK, two, ["tool_end", { call_id: "c1", name: "Read", status: "ok" }]);
  assert.equal(activityOf(events)?.tool, "Bash");
  assert.equal(activityOf(events)?.state, "running");
});

Deno.test("leaves out texts for the model alone", () => {
  const content = [
    { type: "text", text: "Fix it" },
    { type: "text", text: "<time>noon</time>", audience: "model" },
  ];
  assert.equal(activityOf(eventsOf(["user_message", { content }]))?.text, "Fix it");
  const unseen = { content: "A task ended", role: "system" };
  assert.equal(activityOf(eventsOf(["user_message", unseen]))?.text, "");
});

Deno.test("a call that did not begin asks for permission, if the log records starts", () => {
  const other = { type: "tool_call", call_id: "c2", name: "bash", input: { command: "make" } };
  const both = { content: [CALL, other] };
  const asks = (events: LogEvent[]): unknown => {
    const { state, tool } = activityOf(events, { tells_begin: true }) ?? {};
    return [state, tool];
  };
  const said = ["assistant_message", both] as [string, object];
  const begun = ["tool_start", { call_id: "c1" }] as [string, object];
  const done = ["tool_end", { call_id: "c1", name: "Read", status: "ok" }] as [string, object];
  assert.deepEqual(asks(eventsOf(ASK, said)), ["asking", "Read"]);
  assert.deepEqual(asks(eventsOf(ASK, said, begun)), ["running", "Read"]);
  assert.deepEqual(asks(eventsOf(ASK, said, begun, done)), ["asking", "bash"]);
});

Deno.test("a call that a reader ended, because it is open, still runs, and so does an open answer", () => {
  const end = { call_id: "c1", name: "Read", status: "interrupted", error: "[interrupted]" };
  const events = eventsOf(ASK, CALLED, ["tool_end", end]);
  assert.equal(activityOf(events)?.state, "answering");
  const running = activityOf(events, { ends_open_calls: true });
  assert.deepEqual([running?.state, running?.tool], ["running", "Read"]);
  const answer = (more: object): LogEvent[] =>
    eventsOf(ASK, ["assistant_message", { content: "I look", ...more }]);
  const stateOf = (events: LogEvent[]): unknown =>
    activityOf(events, { ends_open_calls: true })?.state;
  assert.equal(stateOf(answer({})), "answering");
  assert.equal(stateOf(answer({ finish_reason: "stop" })), "waiting");
  const stopped = eventsOf(ASK, CALLED, ["tool_end", { ...end, output: "half" }]);
  assert.equal(activityOf(stopped, { ends_open_calls: true })?.state, "answering");
});
