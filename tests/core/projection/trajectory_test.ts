import assert from "node:assert/strict";
import type { Part } from "../../../lib/core/event/message.ts";
import { openedCalls } from "../../../lib/core/event/opened_calls.ts";
import fc from "npm:fast-check@4.10.2";
import type { Integrity, NewEvent } from "../../../lib/core/event/envelope.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { trajectory } from "../../../lib/core/projection/trajectory.ts";
import type { TrajectoryStep } from "../../../lib/core/projection/trajectory_step.ts";
import { trajectoryDocument } from "../../../lib/text/render/trajectory_document.ts";
import { atifFaults } from "../../_support/atif_rules.ts";
import { draft, fold, knownEvents } from "../../_support/known_events.ts";
import { user } from "../../_support/log_bytes.ts";

const HEADER = {
  summary: {
    ref: "3f2a",
    agent: "reprise",
    session_id: "3f2a",
    path: "/log",
    title: "T",
    status: "completed",
    archived: false,
  },
  exported_at: "2026-11-21T20:21:53.123Z",
  generator: "reprise 1",
  redacted: false,
} as const;

function steps(...drafts: NewEvent[]): TrajectoryStep[] {
  return fold(trajectory(), ...drafts);
}

function start(call_id: string, message_id?: string): NewEvent {
  const content: Part[] = [{ type: "tool_call", call_id, name: "read", input: { path: "a" } }];
  return draft(
    "assistant_message",
    message_id === undefined ? { content } : { content, message_id },
  );
}

function end(call_id: string): NewEvent {
  return draft("tool_end", { call_id, name: "read", status: "ok", output: call_id });
}

/** An answer that names no response. */
function assistant(content: string): NewEvent {
  return draft("assistant_message", { content });
}

function answer(content: string, message_id: string): NewEvent {
  return draft("assistant_message", { content, message_id });
}

Deno.test("steps are given out as they are complete, and all of them in order", () => {
  const projection = trajectory();
  const events = knownEvents([user("a"), start("c1"), assistant("b"), end("c1"), user("c")]);
  let state = projection.initial();
  const taken: string[][] = [];
  for (const event of events) {
    state = projection.apply(state, event);
    taken.push(
      projection.take(state).map(({ message, tool_calls }) => tool_calls ? "call" : message),
    );
  }
  assert.deepEqual(taken, [["a"], [], [], ["call"], ["b", "c"]]);
  assert.deepEqual(projection.result(state), []);
});

const ANY_EVENT: fc.Arbitrary<NewEvent> = fc.oneof(
  fc.constant(user("u")),
  fc.tuple(fc.constantFrom("m1", "m2"), fc.constantFrom("", "text")).map(([id, text]) =>
    answer(text, id)
  ),
  fc.constant(assistant("a")),
  fc.tuple(fc.constantFrom("c1", "c2", "c3"), fc.constantFrom("m1", "m2", undefined)).map(
    ([id, message_id]) => start(id, message_id),
  ),
  fc.constantFrom("c1", "c2", "c3").map((id) => end(id)),
  fc.constant(draft("reasoning_message", { content: "r" })),
  fc.constant(draft("diff", { call_id: "c1", lines: [] })),
  fc.constant(draft("compaction_applied", { status: "s" })),
);

Deno.test("any order of events makes a trajectory that Harbor's rules take, with all that was said", () => {
  fc.assert(
    fc.property(fc.array(ANY_EVENT, { minLength: 1, maxLength: 30 }), (drafts) => {
      const made = steps(...drafts);
      const document = trajectoryDocument();
      const text = document.begin(HEADER, "1.0") +
        made.map((step) => document.step(step)).join("") + (made.length > 0 ? document.end() : "");
      if (made.length === 0) return;
      const parsed = JSON.parse(text);
      assert.deepEqual(atifFaults(parsed), []);
      const results = made.flatMap(({ observation }) => observation?.results ?? []);
      assert.equal(results.length, drafts.filter(({ kind }) => kind === "tool_end").length);
      const calls = made.flatMap(({ tool_calls = [] }) => tool_calls);
      const declared = knownEvents(drafts).flatMap(openedCalls);
      assert.equal(calls.length, declared.length);
    }),
    { seed: 17, numRuns: 400 },
  );
});

Deno.test("P2 a step tells the worse mark of its events, and none of what is as it was written", () => {
  const marks = (...integrities: Integrity[]): unknown[] => {
    const events = knownEvents([
      user("Look"),
      answer("Looking.", "m1"),
      start("c1", "m1"),
      end("c1"),
      draft("diff", { call_id: "c1", path: "a", lines: [] }),
      draft("turn_failed", { reason: "error", message: "no" }),
      draft("bash_start", { call_id: "b1", command: "ls", origin: "user" }),
    ]);
    for (const [index, event] of events.entries()) {
      event.integrity = integrities[index] ?? "verified";
    }
    return foldEvents(trajectory(), events).map(({ extra }) => extra.integrity);
  };
  assert.deepEqual(marks(), [undefined, undefined, undefined, undefined]);
  assert.deepEqual(marks("unverified", "unverified"), [undefined, undefined, undefined, undefined]);
  assert.deepEqual(marks("salvaged"), ["salvaged", undefined, undefined, undefined]);
  for (const at of [1, 2, 3, 4]) {
    const damaged = Array<Integrity>(7).fill("verified").with(at, "mismatch");
    assert.deepEqual(marks(...damaged), [undefined, "mismatch", undefined, undefined], `${at}`);
  }
  assert.deepEqual(
    marks("mismatch", "salvaged", "mismatch", "salvaged", "verified", "salvaged", "mismatch"),
    ["mismatch", "mismatch", "salvaged", "mismatch"],
  );
});

Deno.test("a trajectory with marks is what Harbor's validator takes", () => {
  const [event] = knownEvents([user("a")]);
  assert.ok(event);
  event.integrity = "mismatch";
  const [step] = foldEvents(trajectory(), [event]);
  assert.equal(step?.extra.integrity, "mismatch");
  const document = trajectoryDocument();
  const text = document.begin(HEADER, "1") + document.step(step) + document.end();
  assert.deepEqual(atifFaults(JSON.parse(text)), []);
});

Deno.test("steps are the same however the events come in batches", () => {
  fc.assert(
    fc.property(fc.array(ANY_EVENT, { maxLength: 30 }), (drafts) => {
      const projection = trajectory();
      let state = projection.initial();
      const taken: TrajectoryStep[] = [];
      for (const event of knownEvents(drafts)) {
        state = projection.apply(state, event);
        taken.push(...projection.take(state));
      }
      assert.deepEqual([...taken, ...projection.result(state)], steps(...drafts));
    }),
    { seed: 18, numRuns: 400 },
  );
});

Deno.test("the rules refuse what Harbor's validator refuses", () => {
  const document = trajectoryDocument();
  const [step] = steps(user("a"));
  const text = document.begin(HEADER, "1") + document.step(step as TrajectoryStep) + document.end();
  const good = (): Record<string, never> => JSON.parse(text);
  assert.deepEqual(atifFaults(good()), []);
  const broken:
    ((trajectory: { steps: Record<string, unknown>[] } & Record<string, unknown>) => void)[] = [
      (t) => t["surprise"] = 1,
      (t) => t.steps[0]!["step_id"] = 2,
      (t) => t.steps[0]!["metrics"] = {},
      (t) => t.steps = [],
      (t) => t.steps[0]!["observation"] = { results: [{ source_call_id: "c9", content: "" }] },
      (t) => t["schema_version"] = "ATIF-v1.2",
    ];
  for (const breakIt of broken) {
    const trajectory = good();
    breakIt(trajectory as never);
    assert.notDeepEqual(atifFaults(trajectory), [], breakIt.toString());
  }
});

Deno.test("bounds the events that wait for a call that never settles", () => {
  const projection = trajectory();
  let state = projection.initial();
  let most = 0;
  let taken = 0;
  const answers = Array.from(
    { length: 300 },
    (_, at) => draft("assistant_message", { content: "y".repeat(50_000), message_id: `m${at}` }),
  );
  for (const event of knownEvents([user("p"), start("c1", "m"), ...answers, end("c1")])) {
    state = projection.apply(state, event);
    taken += projection.take(state).length;
    most = Math.max(most, state.steps.length);
  }
  assert.ok(most > 50 && most < 100, `${most}`);
  const rest = projection.result(state);
  assert.equal(taken + rest.length, 303);
  assert.equal(rest.at(-1)?.source, "system");
});
