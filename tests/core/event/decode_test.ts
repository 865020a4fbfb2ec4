import assert from "node:assert/strict";
import { decodeEvent, isDeeperThan } from "../../../lib/core/event/decode.ts";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import type { EventKind } from "../../../lib/core/event/payload.ts";
import { EVENT_KINDS } from "../../../lib/core/event/policy.ts";
import { FULL_PAYLOADS } from "../../_support/every_kind.ts";

/** The fields without which a payload does not fit. */
const REQUIRED: Record<EventKind, string> = {
  session_started: "session_id created_at cwd",
  context_loaded: "sources",
  user_message: "content",
  assistant_message: "content",
  assistant_interrupted: "content",
  reasoning_message: "content",
  tool_start: "call_id",
  tool_end: "call_id name status",
  bash_start: "call_id",
  bash_end: "call_id command status",
  diff: "lines",
  compaction_applied: "status",
  conversation_replaced: "messages reason",
  conversation_branched: "from_seq",
  turn_failed: "reason message",
  notice: "audience title text",
  session_renamed: "title",
  session_archived: "archived",
  event_labeled: "target_seq",
  workspace_snapshot: "root",
  session_checkpoint:
    "through_seq archived message_count turn_count usage models first_user_message",
  session_closed: "status",
  extension: "agent type data",
};

/** Fields that may hold anything. */
const OPEN = new Set([
  "tool_start.input",
  "tool_start.provider_data",
  "tool_end.input",
  "tool_end.provider_data",
  "bash_start.input",
  "bash_start.provider_data",
  "bash_end.provider_data",
  "reasoning_message.provider_data",
  "user_message.provider_data",
  "assistant_message.provider_data",
  "extension.data",
]);

function decode(kind: string, payload: unknown, outer: object = {}): LogEvent | undefined {
  return decodeEvent(JSON.parse(JSON.stringify({ v: 1, seq: 7, kind, payload, ...outer })));
}

function reasonOf(kind: string, payload: unknown, outer: object = {}): string {
  const event = decode(kind, payload, outer);
  assert.equal(event?.form, "invalid");
  return event.reason;
}

for (const kind of EVENT_KINDS) {
  const full: Record<string, unknown> = { ...FULL_PAYLOADS[kind] };
  const required = new Set(REQUIRED[kind].split(" "));

  Deno.test(`decodeEvent takes a ${kind} with all its fields, and with the required ones`, () => {
    const least = Object.fromEntries(Object.entries(full).filter(([name]) => required.has(name)));
    assert.deepEqual(Object.keys(least).sort(), [...required].sort());
    for (const payload of [full, least, { ...full, later: { field: 1 } }]) {
      const event = decode(kind, payload);
      assert.equal(event?.form, "known");
      assert.deepEqual(event.payload, JSON.parse(JSON.stringify(payload)));
    }
  });

  Deno.test(`decodeEvent keeps a ${kind} that does not fit raw, and names the field`, () => {
    for (const [name, value] of Object.entries(full)) {
      if (OPEN.has(`${kind}.${name}`)) continue;
      const isRecord = typeof value === "object" && !Array.isArray(value);
      for (const wrong of [isRecord ? 7 : { wrong: [] }, null]) {
        const payload = { ...full, [name]: wrong };
        const event = decode(kind, payload);
        assert.equal(event?.form, "invalid", `${kind}.${name}`);
        assert.ok(event.reason.startsWith(`payload.${name} `), `${kind}.${name}: ${event.reason}`);
        assert.deepEqual(event.payload, payload);
      }
    }
    for (const name of required) {
      const reason = reasonOf(kind, { ...full, [name]: undefined });
      assert.ok(reason.startsWith(`payload.${name} `), `${kind} without ${name}: ${reason}`);
    }
    for (const payload of [undefined, null, 1, "x", []]) {
      assert.equal(reasonOf(kind, payload), "payload is not an object");
    }
  });
}

Deno.test("decodeEvent names what does not fit inside lists, parts and messages", () => {
  const inMessages = (part: object): object => ({
    status: "",
    messages: [{ role: "user", content: [part] }],
  });
  const cases: [EventKind, unknown, string][] = [
    ["user_message", { content: [{ type: "text" }] }, "payload.content[0].text is not a string"],
    [
      "user_message",
      { content: [{ type: "text", text: "" }, 5] },
      "payload.content[1] is not an object",
    ],
    [
      "user_message",
      { content: [{ type: "sound" }] },
      "payload.content[0].type is not one of text",
    ],
    ["user_message", { content: [{ type: "toString" }] }, "payload.content[0].type is not one of"],
    [
      "compaction_applied",
      { status: "", messages: [{ role: "bot" }] },
      "payload.messages[0].role is not one of",
    ],
    [
      "compaction_applied",
      inMessages({ type: "tool_call" }),
      "payload.messages[0].content[0].call_id is not a string",
    ],
    ["diff", { lines: [{ kind: "moved", content: "" }] }, "payload.lines[0].kind is not one of"],
    ["diff", { lines: [{ kind: "hunk" }] }, "payload.lines[0].content is not a string"],
    ["context_loaded", { sources: [{ kind: "file" }] }, "payload.sources[0].path is not a string"],
    [
      "assistant_message",
      { content: "", usage: { input: "1" } },
      "payload.usage.input is not a number",
    ],
    [
      "session_started",
      { ...FULL_PAYLOADS.session_started, git: { branch: 1 } },
      "payload.git.branch is",
    ],
    [
      "session_checkpoint",
      { ...FULL_PAYLOADS.session_checkpoint, models: [1] },
      "payload.models[0] is not a string",
    ],
  ];
  for (const [kind, payload, reason] of cases) {
    assert.ok(reasonOf(kind, payload).startsWith(reason), reasonOf(kind, payload));
  }
});

Deno.test("decodeEvent keeps unknown kinds and unknown fields", () => {
  const event = decode("hologram", { a: [1] }, { later: true, time: 5 });
  assert.deepEqual(event, {
    v: 1,
    seq: 7,
    kind: "hologram",
    payload: { a: [1] },
    later: true,
    time: 5,
    form: "unknown",
    integrity: "unverified",
  });
  const known = decode("session_renamed", { title: "t" }, { later: true });
  assert.deepEqual((known as unknown as { later: unknown }).later, true);
});

Deno.test("decodeEvent reads names of Object.prototype as unknown kinds", () => {
  for (const kind of ["toString", "constructor", "__proto__", "hasOwnProperty"]) {
    assert.equal(decode(kind, {})?.form, "unknown");
  }
});

Deno.test("decodeEvent reads a later envelope version as unknown, whatever its payload", () => {
  assert.equal(decode("user_message", { content: "hi" }, { v: 3 })?.form, "unknown");
  assert.equal(decode("user_message", { shape: "new" }, { v: 3 })?.form, "unknown");
  assert.equal(decode("user_message", { content: "hi" }, { v: undefined })?.form, "known");
  for (const v of [1, 2]) {
    assert.equal(decode("user_message", { content: "hi" }, { v })?.form, "known");
  }
});

Deno.test("decodeEvent takes parts in outputs, and an audience on every part", () => {
  const end = { call_id: "c", name: "read", status: "ok" };
  const image = { type: "image", media_type: "image/png", data: "AA==", sha256: "", bytes: 1 };
  const parts = [
    { type: "text", text: "a", audience: "model" },
    { type: "text", text: "b", continues: true },
    { type: "json", value: null, audience: "user" },
    { ...image, audience: "user" },
  ];
  assert.equal(decode("tool_end", { ...end, output: parts })?.form, "known");
  const wrong: [unknown, string][] = [
    [7, "payload.output is neither a string nor an array"],
    [[{ type: "json" }], "payload.output[0].value is missing"],
    [
      [{ type: "reasoning", text: "a" }],
      "payload.output[0].type is not one of text, json, image, file",
    ],
    [[{ ...image, audience: "all" }], "payload.output[0].audience is not one of user, model"],
    [
      [{ type: "text", text: "a", continues: 1 }],
      "payload.output[0].continues is not true or false",
    ],
  ];
  for (const [output, reason] of wrong) {
    assert.equal(reasonOf("tool_end", { ...end, output }), reason);
  }
  assert.match(
    reasonOf("user_message", { content: [{ type: "json", value: 1 }] }),
    /type is not one/,
  );
});

Deno.test("decodeEvent names labels that do not fit", () => {
  const payload = { title: "t" };
  assert.equal(reasonOf("session_renamed", payload, { time: 5 }), "time is not a string");
  assert.equal(reasonOf("session_renamed", payload, { turn_id: {} }), "turn_id is not a string");
  assert.equal(reasonOf("session_renamed", payload, { source: [] }), "source has no session_id");
  const source = { session_id: "s", seq: 2 };
  assert.equal(decode("session_renamed", payload, { source })?.form, "known");
});

Deno.test("decodeEvent refuses what is no event", () => {
  const values = [null, 5, "x", [], {}, { seq: 1 }, { kind: "user_message" }, { seq: 1, kind: "" }];
  for (const value of values) assert.equal(decodeEvent(value), undefined);
  for (const seq of [0, -1, 1.5, "1", null, 2 ** 53, Infinity, NaN]) {
    assert.equal(decodeEvent({ seq, kind: "user_message", payload: {} }), undefined);
  }
  assert.equal(decodeEvent({ seq: 2 ** 53 - 1, kind: "x" })?.seq, 2 ** 53 - 1);
});

Deno.test("decodeEvent gives its own integrity and position, whatever the line claims", () => {
  const forged = {
    seq: 1,
    kind: "x",
    crc: "0",
    integrity: "verified",
    position: {},
    form: "known",
  };
  assert.deepEqual(decodeEvent({ ...forged }), {
    seq: 1,
    kind: "x",
    integrity: "unverified",
    form: "unknown",
  });
  const position = { offset: 1, length: 2, line: 3 };
  assert.deepEqual(decodeEvent({ ...forged }, "salvaged", position), {
    seq: 1,
    kind: "x",
    integrity: "salvaged",
    form: "unknown",
    position,
  });
});

Deno.test("decodeEvent keeps a __proto__ key as data", () => {
  const text = '{"seq":1,"kind":"x","__proto__":{"bad":1},"payload":{"__proto__":{"bad":1}}}';
  const event = decodeEvent(JSON.parse(text)) as unknown as Record<string, unknown>;
  assert.equal(event.bad, undefined);
  assert.deepEqual(Object.keys(event.payload as object), ["__proto__"]);
  assert.equal(({} as Record<string, unknown>).bad, undefined);
});

Deno.test("isDeeperThan counts arrays and objects, and stops at its limit", () => {
  assert.equal(isDeeperThan("x", 0), false);
  assert.equal(isDeeperThan([], 0), true);
  assert.equal(isDeeperThan([], 1), false);
  assert.equal(isDeeperThan([1, { a: [] }], 2), true);
  assert.equal(isDeeperThan([1, { a: [] }], 3), false);
  const bomb = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
  assert.equal(isDeeperThan(bomb, 512), true);
});
