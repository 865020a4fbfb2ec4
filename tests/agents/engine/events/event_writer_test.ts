import assert from "node:assert/strict";
import { EventWriter } from "../../../../lib/agents/engine/events/event_writer.ts";
import type { KnownEvent } from "../../../../lib/core/event/envelope.ts";
import type { EventKind } from "../../../../lib/core/event/payload.ts";

const SESSION = { agent: "pi", id: "s1" } as const;
const POSITION = { offset: 7, length: 9, line: 2 };

Deno.test("an event says its number, where it came from and when", () => {
  const writer = new EventWriter(SESSION);
  const record = { position: POSITION };
  const seq = writer.emit("user_message", { content: "hi" }, {
    id: "r1",
    time: 1767225600000,
    turn_id: "t1",
    record,
  });
  assert.equal(seq, 1);
  assert.deepEqual(writer.take(), [{
    form: "known",
    seq: 1,
    kind: "user_message",
    time: "2026-01-01T00:00:00.000Z",
    turn_id: "t1",
    source: { agent: "pi", session_id: "s1", id: "r1" },
    payload: { content: "hi" },
    integrity: "unverified",
    position: POSITION,
  }]);
  assert.deepEqual(writer.take(), []);
});

Deno.test("salvaged events are marked", () => {
  const writer = new EventWriter(SESSION);
  writer.emit("user_message", { content: "hi" }, {
    record: { position: POSITION, salvaged: true },
  });
  assert.equal(writer.take()[0]?.integrity, "salvaged");
});

Deno.test("seqs do not depend on needs; unneeded events come unparsed, with their time", () => {
  const writer = new EventWriter(SESSION, new Set<EventKind>(["user_message"]));
  writer.emit("reasoning_message", { content: "hm" }, { id: "r1", time: "2026-01-01T00:00:00Z" });
  writer.skip("r2");
  writer.emit("user_message", { content: "hi" }, { id: "r3" });
  const [first, second, ...more] = writer.take();
  assert.deepEqual(more, []);
  assert.deepEqual(first, {
    form: "unparsed",
    seq: 1,
    kind: "reasoning_message",
    integrity: "unverified",
    time: "2026-01-01T00:00:00.000Z",
  });
  assert.equal(second?.seq, 3);
  assert.deepEqual(["r1", "r2", "r3", "r4"].map((id) => writer.seqOf(id)), [1, 2, 3, undefined]);
  assert.deepEqual([writer.wants("user_message"), writer.wants("diff")], [true, false]);
});

Deno.test("the seq of a record is that of its first event", () => {
  const writer = new EventWriter(SESSION);
  writer.emit("assistant_message", { content: "a" }, { id: "r1" });
  writer.emit("assistant_message", { content: "b" }, { id: "r1" });
  assert.equal(writer.seqOf("r1"), 1);
});

Deno.test("an event of several records is found by each of them", () => {
  const writer = new EventWriter(SESSION);
  writer.emit("assistant_message", { content: "a" }, { id: "r2", other_ids: ["r1", "r2"] });
  assert.deepEqual(["r1", "r2"].map((id) => writer.seqOf(id)), [1, 1]);
});

Deno.test("a compaction keeps from a message on", () => {
  const writer = new EventWriter(SESSION);
  writer.emit("assistant_message", { content: "a" }, { id: "r1" });
  writer.emit("tool_end", { call_id: "c1", name: "n", status: "ok" }, { id: "r2" });
  assert.equal(writer.messageFrom("r2"), undefined);
  writer.emit("user_message", { content: "b" }, { id: "r3" });
  assert.deepEqual(["r1", "r2", "r3", "r4"].map((id) => writer.messageFrom(id)), [
    1,
    3,
    3,
    undefined,
  ]);
});

Deno.test("text is made well-formed, wherever it stands", () => {
  const writer = new EventWriter(SESSION);
  const input = { ["k\ud83d"]: ["x\udc00"] };
  writer.emit("tool_end", { call_id: "c\ud800", name: "n", status: "ok", input });
  const [event] = writer.take() as (KnownEvent & { kind: "tool_end" })[];
  assert.equal(event?.payload.call_id, "c\ufffd");
  assert.deepEqual(event?.payload.input, { "k\ufffd": ["x\ufffd"] });
});

Deno.test("a payload that does not fit is kept raw, and said to be invalid", () => {
  const writer = new EventWriter(SESSION);
  writer.emit("user_message", { content: 5 as unknown as string });
  const [event] = writer.take();
  assert.equal(event?.form, "invalid");
  assert.deepEqual(event?.form === "invalid" && event.payload, { content: 5 });
});

Deno.test("keep makes an extension of its agent, and none of nothing", () => {
  const writer = new EventWriter(SESSION);
  writer.keep("entry", {}, { id: "r1" });
  writer.keep("entry", { left: 1 }, { id: "r2" });
  assert.deepEqual(writer.take().map((event) => (event as KnownEvent).payload), [
    { agent: "pi", type: "entry", data: { left: 1 } },
  ]);
});

Deno.test("people see the words of a record of an unknown kind", () => {
  const writer = new EventWriter(SESSION);
  const data = { id: "x1", said: [{ text: "a later version" }] };
  writer.keepUnknown("new", data);
  writer.keepUnknown("mute", { id: "x2" });
  assert.deepEqual(writer.take().map((event) => (event as KnownEvent).payload), [
    { audience: "user", title: "new", text: "a later version" },
    { agent: "pi", type: "new", data },
    { agent: "pi", type: "mute", data: { id: "x2" } },
  ]);
});
