import assert from "node:assert/strict";
import { contentFor } from "../../../../lib/core/event/audience.ts";
import type { Event, Integrity, LogEvent, NewEvent } from "../../../../lib/core/event/envelope.ts";
import type { Part } from "../../../../lib/core/event/message.ts";
import { EVENT_KINDS, TRANSCRIPT_KINDS } from "../../../../lib/core/event/policy.ts";
import { foldEvents } from "../../../../lib/core/projection/projection.ts";
import { transcript } from "../../../../lib/core/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../../../lib/core/projection/transcript/item.ts";
import { FULL_PAYLOADS, fullEvent } from "../../../_support/every_kind.ts";
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

function bashStart(call_id: string): NewEvent {
  return draft("assistant_message", {
    content: [{ type: "tool_call", call_id, name: "bash", input: { command: "ls" } }],
  });
}

/** A draft of another turn. */
function inTurn(turn_id: string | undefined, event: NewEvent): NewEvent {
  const { turn_id: _, ...rest } = event;
  return (turn_id === undefined ? rest : { ...rest, turn_id }) as NewEvent;
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

Deno.test("transcript items carry what was seen, with seq, time, turn and integrity", () => {
  const base = { turn_id: "t1", integrity: "verified" };
  const time = (seq: number): string =>
    new Date(Date.UTC(2026, 10, 21, 20, 21, 53 + seq, 123)).toISOString();
  const { session_started, context_loaded, user_message, diff, turn_failed } = FULL_PAYLOADS;
  const items = shown(
    fullEvent("session_started"),
    fullEvent("context_loaded"),
    fullEvent("user_message"),
    assistant("hi"),
    fullEvent("reasoning_message"),
    fullEvent("assistant_interrupted"),
    fullEvent("diff"),
    fullEvent("compaction_applied"),
    fullEvent("turn_failed"),
    fullEvent("session_closed"),
  );
  const bodies: object[] = [
    { type: "session", session: session_started },
    { type: "context", sources: context_loaded.sources },
    { type: "message", role: "user", content: user_message.content },
    { type: "message", role: "assistant", content: "hi", message_id: "m1" },
    { type: "reasoning", text: "hm\\u" },
    {
      type: "message",
      role: "assistant",
      interrupted: true,
      content: "half “q",
      message_id: "m2",
      reason: "esc",
    },
    { type: "diff", ...diff },
    {
      type: "compaction",
      status: "done",
      summary: "Σ",
      tokens_before: 10,
      tokens_after: 1,
      guidance: "g",
      trigger: "auto",
    },
    { type: "failure", ...turn_failed },
    { type: "closed", status: "completed", exit_code: 0, summary: "bye" },
  ];
  const expected = bodies.map((body, index) => ({
    ...base,
    seq: index + 1,
    time: time(index + 1),
    ...body,
  }));
  assert.deepEqual(items, expected);
});

Deno.test("a call stands where it started, with its outcome", () => {
  const items = shown(
    user("p"),
    inTurn(
      "t1",
      draft("assistant_message", {
        content: [{ type: "tool_call", call_id: "c1", name: "read", input: { path: "ä" } }],
      }),
    ),
    fullEvent("tool_start"),
    fullEvent("bash_start"),
    fullEvent("bash_end"),
    fullEvent("tool_end"),
    user("q"),
  );
  assert.deepEqual(outline(items), ["1 message", "3 tool ok", "4 bash error", "7 message"]);
  const [, tool, bash] = items;
  assert.deepEqual({ ...tool, time: "" }, {
    type: "tool",
    seq: 3,
    end_seq: 6,
    time: "",
    turn_id: "t1",
    integrity: "verified",
    call_id: "c1",
    name: "read",
    input: { path: "a" },
    status: "ok",
    output: contentFor(FULL_PAYLOADS.tool_end.output, "user"),
    error: "",
    duration_ns: 1e9,
    truncated: true,
    captions: ["shown"],
  });
  assert.deepEqual({ ...bash, time: "" }, {
    type: "bash",
    seq: 4,
    end_seq: 5,
    time: "",
    turn_id: "t1",
    integrity: "verified",
    call_id: "c2",
    command: "ls",
    summary: "s",
    origin: "user",
    status: "error",
    output: "é\r\n",
    error: "e",
    exit_code: 1,
    duration_ns: 5,
    truncated: false,
    captions: ["shown"],
  });
});

Deno.test("keeps the fields of a call's start that its end does not replace", () => {
  const [tool] = shown(
    toolStart("c1", { path: "start" }),
    draft("tool_end", { call_id: "c1", name: "other", status: "ok" }),
  );
  assert.ok(tool?.type === "tool");
  assert.deepEqual([tool.name, tool.input], ["read_file", { path: "start" }]);
});

Deno.test("a call has the lines by which the agent showed it, each once", () => {
  const call = { type: "tool_call", call_id: "c1", name: "read", input: {}, caption: "Reading" };
  const declared = draft("assistant_message", { content: [call as Part] });
  const end = { call_id: "c1", status: "ok", caption: "Read" } as const;
  const captionsOf = (...events: NewEvent[]): unknown =>
    shown(declared, ...events).map((item) => "captions" in item && item.captions);
  assert.deepEqual(captionsOf(), [["Reading"]]);
  assert.deepEqual(captionsOf(draft("tool_end", { ...end, name: "read" })), [["Reading", "Read"]]);
  const start = draft("bash_start", { call_id: "c1", command: "ls" });
  const again = draft("bash_end", { ...end, command: "ls", caption: "Reading" });
  assert.deepEqual(captionsOf(start, again), [["Reading"]]);
});

Deno.test("an end settles the latest open start of its id", () => {
  const items = shown(toolStart("c1"), toolStart("c1"), toolEnd("c1", "second"));
  assert.deepEqual(outline(items), ["1 tool not_run", "2 tool ok"]);
});

Deno.test("an end without a start is shown as an orphan", () => {
  assert.deepEqual(outline(shown(user("p"), toolEnd("c1"), fullEvent("bash_end"))), [
    "1 message",
    "2 tool ok orphan",
    "3 bash error orphan",
  ]);
});

Deno.test("a call that did not settle by the end of its turn stays open, its end an orphan", () => {
  const turns = [
    inTurn("t1", toolStart("c1")),
    inTurn("t2", user("next")),
    inTurn("t1", toolEnd("c1")),
  ];
  assert.deepEqual(outline(shown(...turns)), [
    "1 tool not_run",
    "2 message",
    "3 tool ok orphan",
  ]);
  assert.deepEqual(outline(shown(...turns.map((event) => inTurn(undefined, event)))), [
    "1 tool not_run",
    "2 message",
    "3 tool ok orphan",
  ]);
  assert.deepEqual(outline(shown(...turns.map((event) => inTurn("t1", event)))), [
    "1 tool ok",
    "2 message",
  ]);
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

Deno.test("an event without a turn_id belongs to the current turn", () => {
  const items = shown(
    inTurn("t1", user("p")),
    inTurn("t1", bashStart("b1")),
    inTurn(undefined, assistant("meanwhile")),
    inTurn(undefined, fullEvent("diff")),
    inTurn(undefined, draft("bash_end", { call_id: "b1", command: "ls", status: "ok" })),
  );
  assert.deepEqual(outline(items), ["1 message", "2 bash ok", "3 message", "4 diff"]);
});

Deno.test("compaction does not remove what was seen before it", () => {
  const cut = draft("compaction_applied", { status: "Context compacted.", messages: [] });
  const items = shown(user("old"), cut, user("new"));
  assert.deepEqual(outline(items), ["1 message", "2 compaction", "3 message"]);
});

Deno.test("session_closed is shown only as the last event of all", () => {
  const closed = draft("session_closed", { status: "failed", exit_code: 130 });
  assert.deepEqual(outline(shown(user("p"), closed)), ["1 message", "2 closed"]);
  assert.deepEqual(outline(shown(user("p"), closed, user("q"))), ["1 message", "3 message"]);
  const renamed = draft("session_renamed", { title: "t" });
  assert.deepEqual(outline(shown(user("p"), closed, renamed)), ["1 message"]);
});

Deno.test("an answer without text and empty reasoning are not shown", () => {
  assert.deepEqual(
    shown(assistant(""), draft("reasoning_message", { content: "" })),
    [],
  );
});

Deno.test("extensions are shown on request alone", () => {
  const extension = fullEvent("extension");
  assert.deepEqual(shown(extension), []);
  const [item] = fold(transcript({ extensions: true }), extension);
  assert.ok(item?.type === "extension");
  assert.deepEqual([item.agent, item.name, item.data], [
    "pi",
    "label",
    FULL_PAYLOADS.extension.data,
  ]);
});

Deno.test("an event whose payload does not fit is shown raw, where its kind would be shown", () => {
  const invalid = (kind: string, payload: unknown): LogEvent => ({
    ...{ form: "invalid", integrity: "verified", reason: "payload.content is missing" },
    ...{ seq: 1, kind, payload },
  });
  assert.deepEqual(foldEvents(transcript(), [invalid("user_message", { text: "hi" })]), [{
    type: "unreadable",
    seq: 1,
    integrity: "verified",
    kind: "user_message",
    reason: "payload.content is missing",
    payload: { text: "hi" },
  }]);
  // A reader that asked for what a transcript needs would not have parsed it.
  assert.deepEqual(foldEvents(transcript(), [invalid("session_renamed", {})]), []);
});

Deno.test("an item has the worse mark of its events", () => {
  const marked = (one: Integrity, other: Integrity): Integrity | undefined => {
    const [start, end] = knownEvents([toolStart("c1"), toolEnd("c1")]);
    if (start !== undefined) start.integrity = one;
    if (end !== undefined) end.integrity = other;
    return foldEvents(transcript(), [start, end].flatMap((event) => event ?? [])).at(0)?.integrity;
  };
  assert.equal(marked("verified", "verified"), "verified");
  assert.equal(marked("verified", "salvaged"), "salvaged");
  assert.equal(marked("mismatch", "unverified"), "mismatch");
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

Deno.test("a compaction without status, summary and tokens is no item", () => {
  const items = shown(
    draft("compaction_applied", { status: "", messages: [] }),
    draft("compaction_applied", { status: "Compacted.", messages: [] }),
  );
  assert.deepEqual(outline(items), ["2 compaction"]);
});

Deno.test("attaches hidden user messages, which begin a turn", () => {
  const items = shown(
    inTurn("t1", draft("user_message", { content: "/review" })),
    inTurn(
      "t1",
      draft("user_message", { content: [{ type: "text", text: "Be kind.", audience: "model" }] }),
    ),
    inTurn("t1", draft("user_message", { content: "Be brief.", role: "system" })),
    inTurn("t1", draft("user_message", { content: "" })),
  );
  assert.deepEqual(items.map((item) => [item.type, "content" in item && item.content]), [
    ["message", "/review"],
    ["attached", "Be kind."],
    ["attached", "Be brief."],
    ["message", ""],
  ]);
});

Deno.test("hides parts, thoughts and calls that are for the model alone", () => {
  const items = shown(
    draft("assistant_message", {
      content: [
        { type: "text", text: "Yes", audience: "user" },
        { type: "text", text: "no", audience: "model" },
      ],
    }),
    draft("assistant_message", { content: [{ type: "text", text: "no", audience: "model" }] }),
    draft("assistant_interrupted", { content: [{ type: "text", text: "no", audience: "model" }] }),
    draft("reasoning_message", { content: "no", audience: "model" }),
    draft("assistant_message", {
      content: [{ type: "tool_call", call_id: "c1", name: "read", input: {}, audience: "model" }],
    }),
    draft("assistant_message", {
      content: [{ type: "tool_call", call_id: "c2", name: "bash", input: { command: "ls" } }],
    }),
    draft("tool_end", { call_id: "c1", name: "read", status: "ok", output: "no" }),
    draft("bash_end", {
      call_id: "c2",
      command: "ls",
      status: "ok",
      output: [
        { type: "text", text: "no\n", audience: "model" },
        { type: "text", text: "12", continues: true },
      ],
    }),
  );
  const texts = items.map((item) =>
    item.type === "message" ? item.content : item.type === "bash" ? item.output : item.type
  );
  assert.deepEqual(texts, ["Yes", "12"]);
});

Deno.test("a replaced conversation is an item that says why, and no compaction", () => {
  const items = shown(
    draft("conversation_replaced", {
      messages: [{ role: "user", content: "a" }],
      reason: "history edited",
    }),
  );
  assert.deepEqual(items.map(({ integrity: _, time: _time, ...item }) => item), [
    { type: "replaced", seq: 1, reason: "history edited", messages: 1 },
  ]);
});

function response(...content: Part[]): NewEvent {
  return draft("assistant_message", { content });
}

function declares(call_id: string, input: unknown = {}): Part {
  return { type: "tool_call", call_id, name: "read", input };
}

Deno.test("a response in one event is shown as what was thought, said and called, in order", () => {
  const items = shown(response(
    { type: "reasoning", text: "hm" },
    { type: "text", text: "one" },
    { type: "text", text: "two" },
    declares("c1"),
    { type: "text", text: "three" },
  ));
  assert.deepEqual(outline(items), [
    "1 reasoning",
    "1 message",
    "1 tool not_run",
    "1 message",
  ]);
});

Deno.test("a declared call stands where it began, with what came of it", () => {
  const items = shown(
    response({ type: "text", text: "go" }, declares("c1"), declares("c2"), declares("c3")),
    draft("tool_start", { call_id: "c2" }),
    draft("diff", { call_id: "c2", lines: [] }),
    toolEnd("c2"),
    draft("tool_start", { call_id: "c1" }),
    toolEnd("c1"),
  );
  assert.deepEqual(outline(items), [
    "1 message",
    "2 tool ok",
    "3 diff",
    "5 tool ok",
    "1 tool not_run",
  ]);
  assert.deepEqual(items.map((item) => "call_id" in item ? item.call_id : ""), [
    "",
    "c2",
    "c2",
    "c1",
    "c3",
  ]);
});

Deno.test("calls without a recorded start stand in the order of the response", () => {
  const items = shown(
    response(declares("c1"), declares("c2"), declares("c3")),
    toolEnd("c2"),
    toolEnd("c1"),
    assistant("so"),
  );
  assert.deepEqual(outline(items), [
    "1 tool ok",
    "1 tool ok",
    "1 tool not_run",
    "4 message",
  ]);
});

Deno.test("a call that began is shown before the calls behind it settle", () => {
  const projection = transcript();
  let state = projection.initial();
  const drafts = [
    response(declares("c1"), declares("c2")),
    draft("tool_start", { call_id: "c1" }),
    toolEnd("c1"),
  ];
  for (const event of knownEvents(drafts)) state = projection.apply(state, event);
  assert.deepEqual(outline(projection.take(state)), ["2 tool ok"]);
});

Deno.test("a declared call that a shell ran is shown as a command", () => {
  const began = shown(
    response(declares("c1", { command: "ls -l" })),
    draft("bash_start", { call_id: "c1", summary: "list" }),
    draft("bash_end", { call_id: "c1", command: "ls -l", status: "ok", exit_code: 0 }),
  );
  const ended = shown(
    response(declares("c1", { command: ["ls", "-l"] })),
    draft("bash_end", { call_id: "c1", command: "ls -l", status: "ok", exit_code: 0 }),
  );
  for (const [item] of [began, ended]) {
    assert.ok(item?.type === "bash");
    assert.equal(item.command, "ls -l");
    assert.equal(item.origin, "model");
    assert.equal(item.status, "ok");
  }
  assert.equal(began[0]?.seq, 2);
  assert.equal(ended[0]?.seq, 1);
});

Deno.test("a declared call for the model alone is not shown, and its end neither", () => {
  const call = { ...declares("c1"), audience: "model" as const };
  assert.deepEqual(outline(shown(response(call), toolEnd("c1"))), []);
});

Deno.test("a change stands behind the call that made it, also where nothing says when that began", () => {
  const items = shown(
    response(declares("c1"), declares("c2")),
    draft("diff", { call_id: "c1", lines: [] }),
    toolEnd("c1"),
    toolEnd("c2"),
  );
  assert.deepEqual(items.map(({ type }) => type), ["tool", "diff", "tool"]);
});

Deno.test("a call that its response declares and nothing starts was not run", () => {
  const stopped = [
    response(declares("c1"), declares("c2"), declares("c3")),
    draft("tool_start", { call_id: "c1" }),
    toolEnd("c2"),
  ];
  assert.deepEqual(outline(shown(...stopped)), [
    "2 tool unsettled",
    "1 tool ok",
    "1 tool not_run",
  ]);
  const source = { agent: "pi", session_id: "s1" };
  const imported = shown(...stopped.map((event) => ({ ...event, source })));
  assert.equal(outline(imported).at(-1), "1 tool unsettled", "pi does not record starts");
});
