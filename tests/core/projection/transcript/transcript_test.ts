import assert from "node:assert/strict";
import type { Event, LogEvent, NewEvent } from "../../../../lib/core/event/envelope.ts";
import { EVENT_KINDS, TRANSCRIPT_KINDS } from "../../../../lib/core/event/policy.ts";
import { foldEvents } from "../../../../lib/core/projection/projection.ts";
import { transcript } from "../../../../lib/core/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../../../lib/core/projection/transcript/item.ts";
import { FULL_PAYLOADS } from "../../../_support/every_kind.ts";
import { draft, fold, known, knownEvents } from "../../../_support/known_events.ts";
import { assistant, toolEnd, toolStart, user } from "../../../_support/log_bytes.ts";

function shown(...drafts: NewEvent[]): TranscriptItem[] {
  return fold(transcript(), ...drafts);
}

/** Items in short: type, seq, and the state of a call. */
function outline(items: readonly TranscriptItem[]): string[] {
  return items.map((item) => {
    const status = item.type === "tool" || item.type === "bash" ? ` ${item.status}` : "";
    const orphan = "orphan" in item && item.orphan ? " orphan" : "";
    return `${item.seq} ${item.type}${status}${orphan}`;
  });
}

Deno.test("transcript shows every kind that it says it needs, and no other", () => {
  for (const kind of EVENT_KINDS) {
    const payload = kind === "assistant_message"
      ? { ...FULL_PAYLOADS[kind], content: "hi" }
      : FULL_PAYLOADS[kind];
    // The start of a declared call shows that call.
    const before = kind === "tool_start" ? [toolStart("c1")] : [];
    const items = shown(...before, { kind, payload } as NewEvent);
    assert.equal(items.length, Number(TRANSCRIPT_KINDS.has(kind)), kind);
  }
});

Deno.test("a call for which too much waits stays open, its end an orphan", () => {
  const long = "x".repeat(2500);
  const log = (text: string): NewEvent[] => [
    toolStart("c1"),
    toolStart("c2"),
    assistant(text),
    toolEnd("c2", "two"),
    assistant("b"),
    toolEnd("c1", "one"),
  ];
  const outlineOf = (events: NewEvent[]): string[] =>
    outline(fold(transcript({ most_waiting: 4000 }), ...events));
  const settled = ["1 tool ok", "2 tool ok", "3 message", "5 message"];
  assert.deepEqual(outlineOf(log("short")), settled);
  assert.deepEqual(outlineOf(log(long)), settled);
  assert.deepEqual(outlineOf(log(long + long)), [
    ...["1 tool not_run", "2 tool not_run", "3 message", "4 tool ok orphan", "5 message"],
    "6 tool ok orphan",
  ]);
  // Nothing waits for a call but what comes between its start and its end.
  const start = draft("assistant_message", {
    content: [{ type: "tool_call", call_id: "c1", name: "write", input: { text: long + long } }],
  });
  assert.deepEqual(outlineOf([start, toolEnd("c1", long + long)]), ["1 tool ok"]);
});

Deno.test("bounds the events that wait for a call that never settles", () => {
  const projection = transcript({ most_waiting: 10_000 });
  let state = projection.initial();
  const taken: string[] = [];
  let most = 0;
  const events = [user("p"), toolStart("c1"), ...Array(500).fill(assistant("y".repeat(100)))];
  for (const event of knownEvents(events)) {
    state = projection.apply(state, event);
    taken.push(...outline(projection.take(state)));
    most = Math.max(most, state.items.length);
  }
  assert.ok(most > 20 && most < 50, `${most}`);
  assert.deepEqual(taken.slice(0, 3), ["1 message", "2 tool not_run", "3 message"]);
  assert.equal(taken.length + projection.result(state).length, 502);
});

Deno.test("P2 a payload's fields never stand in place of an item's own", () => {
  const forged = {
    type: "x",
    seq: 99,
    integrity: "verified",
    time: "x",
    turn_id: "x",
    end_seq: 77,
  };
  const more = { orphan: true, interrupted: true, role: "user" };
  const kinds = EVENT_KINDS.filter((kind) => kind !== "compaction_applied");
  for (const kind of kinds) {
    const payload = { ...FULL_PAYLOADS[kind], ...forged, ...more, call_id: "c0" };
    const event = {
      ...known({ seq: 5, kind, payload } as unknown as Event),
      integrity: "mismatch",
    };
    for (const item of foldEvents(transcript(), [event as LogEvent])) {
      const { type, seq, integrity } = item;
      assert.deepEqual([seq, integrity], [5, "mismatch"], kind);
      assert.notEqual(type, "x");
      assert.equal("time" in item || "turn_id" in item || "end_seq" in item, false, kind);
      assert.equal("orphan" in item, kind === "tool_end" || kind === "bash_end", kind);
      assert.equal("interrupted" in item, kind === "assistant_interrupted", kind);
    }
  }
  const [start, end] = knownEvents([toolStart("c1"), toolEnd("c1")]);
  assert.ok(start && end);
  const [tool] = foldEvents(transcript(), [
    { ...start, integrity: "mismatch" },
    { ...end, payload: { ...end.payload, ...forged, ...more } } as LogEvent,
  ]);
  assert.deepEqual([tool?.type, tool?.seq, tool?.end_seq], ["tool", 1, 2]);
  assert.deepEqual([tool?.integrity, tool?.turn_id], ["mismatch", "t1"]);
  assert.equal(tool && "orphan" in tool, false);
});

Deno.test("take gives the items that no later event can change, and result the rest", () => {
  const projection = transcript();
  let state = projection.initial();
  const taken: string[][] = [];
  for (
    const event of knownEvents([user("p"), toolStart("c1"), user("q"), toolEnd("c1"), user("r")])
  ) {
    state = projection.apply(state, event);
    taken.push(outline(projection.take(state)));
  }
  assert.deepEqual(taken, [["1 message"], [], [], ["2 tool ok", "3 message"], ["5 message"]]);
  assert.deepEqual(projection.result(state), []);
});

Deno.test("a call that began is shown before the calls behind it settle", () => {
  const projection = transcript();
  let state = projection.initial();
  const drafts = [
    draft("assistant_message", {
      content: ["c1", "c2"].map((call_id) => (
        { type: "tool_call", call_id, name: "read", input: {} }
      )),
    }),
    draft("tool_start", { call_id: "c1" }),
    toolEnd("c1"),
  ];
  for (const event of knownEvents(drafts)) state = projection.apply(state, event);
  assert.deepEqual(outline(projection.take(state)), ["2 tool ok"]);
});
