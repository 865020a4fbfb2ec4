import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { checkLine } from "../../../lib/core/event/checksum.ts";
import { decodeEvent, ENVELOPE_VERSION } from "../../../lib/core/event/decode.ts";
import { encodeEvent } from "../../../lib/core/event/encode.ts";
import type { Event, LogEvent } from "../../../lib/core/event/envelope.ts";
import { ExactNumber } from "../../../lib/core/event/exact_number.ts";
import { EVENT_KINDS } from "../../../lib/core/event/policy.ts";
import { everyKind, fullEvent } from "../../_support/every_kind.ts";
import { numbered, user } from "../../_support/log_bytes.ts";
import { codePoint } from "../../_support/code_point.ts";

function textOf(event: unknown): string {
  return new TextDecoder().decode(encodeEvent(event as Event));
}

function decodeLine(line: Uint8Array): LogEvent {
  const event = decodeEvent(
    JSON.parse(new TextDecoder().decode(line)),
    checkLine(line.slice(0, -1)),
  );
  assert.ok(event !== undefined);
  return event;
}

/** What a reader gives for an event that was encoded. */
function asRead(event: Event): unknown {
  const written = JSON.parse(
    JSON.stringify({ ...event, v: ENVELOPE_VERSION }).replace(/\\ud[89a-f]../g, "\ufffd"),
  );
  return { ...written, form: "known", integrity: "verified" };
}

function contentRead(content: string): unknown {
  const event = decodeLine(encodeEvent({ ...user(content), seq: 1 } as Event));
  return event.form === "known" && event.kind === "user_message" && event.payload.content;
}

Deno.test("encodeEvent writes the fields in the format's order, a checksum and LF", () => {
  const text = textOf({
    payload: { content: "é" },
    source: { session_id: "s" },
    turn_id: "t",
    time: "2026-11-21T20:21:53.123Z",
    kind: "user_message",
    seq: 3,
    later: "is not written",
  });
  assert.equal(
    text,
    '{"v":1,"seq":3,"kind":"user_message","time":"2026-11-21T20:21:53.123Z","turn_id":"t",' +
      '"source":{"session_id":"s"},"payload":{"content":"é"},"crc":"56f76791"}\n',
  );
  assert.equal(
    textOf({ seq: 1, kind: "session_archived", payload: { archived: true }, v: 9 }).slice(0, 67),
    '{"v":1,"seq":1,"kind":"session_archived","payload":{"archived":true',
  );
});

Deno.test("encodeEvent gives lines that read back as the same events, verified, kind by kind", () => {
  const events = numbered(everyKind());
  assert.deepEqual(new Set(events.map((event) => event.kind)), new Set(EVENT_KINDS));
  for (const event of events) {
    assert.deepEqual(decodeLine(encodeEvent(event)), asRead(event));
  }
});

const text = fc.string({ unit: codePoint, maxLength: 40 });
const seq = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const anyEvent = fc.oneof(
  fc.record({ seq, kind: fc.constant("user_message"), payload: fc.record({ content: text }) }),
  fc.record({
    seq,
    kind: fc.constant("tool_start"),
    time: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    turn_id: text,
    payload: fc.record({ call_id: text, name: text, input: fc.jsonValue({ maxDepth: 6 }) }),
  }),
  fc.record({
    seq,
    kind: fc.constant("extension"),
    source: fc.record({ session_id: text, seq: fc.nat() }),
    payload: fc.record({ agent: text, type: text, data: fc.jsonValue() }),
  }),
) as fc.Arbitrary<Event>;

Deno.test("decodeEvent gives back whatever encodeEvent was given", () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      assert.deepEqual(decodeLine(encodeEvent(event)), asRead(event));
    }),
    { seed: 20261121, numRuns: 1500 },
  );
});

Deno.test("encodeEvent makes lone surrogates U+FFFD, and leaves pairs and escape texts alone", () => {
  const cases: [string, string][] = [
    ["\ud83d", "\ufffd"],
    ["\ude00", "\ufffd"],
    ["a\ude00\ud83db", "a\ufffd\ufffdb"],
    ["\ud83d\ude00", "\ud83d\ude00"],
    ["\ud83d\ud83d\ude00", "\ufffd\ud83d\ude00"],
    ["\\ud83d", "\\ud83d"],
    ["\\\\ud83d", "\\\\ud83d"],
    ["\\\ud83d", "\\\ufffd"],
    ["\\\\\ud83d\\ude00", "\\\\\ufffd\\ude00"],
    ['"\\ud800"', '"\\ud800"'],
    ["\u001b\ud800\\u001b", "\u001b\ufffd\\u001b"],
  ];
  for (const [content, expected] of cases) assert.equal(contentRead(content), expected);
});

Deno.test("encodeEvent makes any text well-formed, as toWellFormed does", () => {
  const units = fc.constantFrom("\ud83d", "\ude00", "\\", "u", "d", "8", "0", '"', "é", "\n");
  fc.assert(
    fc.property(fc.string({ unit: units, maxLength: 12 }), (content) => {
      assert.equal(contentRead(content), content.toWellFormed());
    }),
    { seed: 7, numRuns: 1500 },
  );
});

Deno.test("encodeEvent makes keys well-formed too", () => {
  const line = textOf({
    seq: 1,
    kind: "assistant_message",
    payload: { content: [{ type: "tool_call", ...call, input: { "\ud800": 1 } }] },
  });
  assert.ok(line.includes('"input":{"\ufffd":1}'));
});

const call = { call_id: "c", name: "n", input: {} };

Deno.test("encodeEvent refuses what would not read back as a known event", () => {
  const cases: [object, RegExp][] = [
    [{ kind: "hologram" }, /^Cannot encode event: the kind is unknown: "hologram"$/],
    [{ kind: "toString" }, /kind is unknown/],
    [{ payload: { title: 1 } }, /^Cannot encode session_renamed: payload\.title is not a string$/],
    [{ payload: undefined }, /payload is not an object/],
    [{ seq: 0 }, /^Cannot encode session_renamed: seq is not a whole number of at least 1$/],
    [{ seq: 1.5 }, /seq is not/],
    [{ seq: undefined }, /seq is not/],
    [{ time: 5 }, /^Cannot encode session_renamed: time is not a string$/],
    [{ time: "soon" }, /time is not ISO 8601/],
    [{ turn_id: {} }, /turn_id is not a string/],
    [{ source: {} }, /source has no session_id/],
  ];
  const fits = { seq: 1, kind: "session_renamed", payload: { title: "t" } };
  assert.equal(decodeLine(encodeEvent(fits as Event)).form, "known");
  for (const [wrong, message] of cases) {
    assert.throws(() => textOf({ ...fits, ...wrong }), { name: "TypeError", message });
  }
});

Deno.test("encodeEvent refuses nesting that a reader would refuse, and takes one level less", () => {
  const nested = (levels: number): unknown => {
    let input: unknown = 1;
    for (let level = 0; level < levels; level++) input = [input];
    return { ...fullEvent("tool_start"), seq: 1, payload: { ...call, input } };
  };
  assert.equal(decodeLine(encodeEvent(nested(510) as Event)).form, "known");
  assert.throws(() => textOf(nested(511)), {
    name: "TypeError",
    message: /more than 511 nested levels/,
  });
  assert.throws(() => textOf(nested(100_000)), TypeError);
  const circle: unknown[] = [];
  circle.push(circle);
  const event = {
    seq: 1,
    kind: "assistant_message",
    payload: { content: [{ type: "tool_call", ...call, input: circle }] },
  };
  assert.throws(() => textOf(event), TypeError);
});

function started(input: unknown): Event {
  return {
    seq: 1,
    kind: "assistant_message",
    payload: { content: [{ type: "tool_call", call_id: "c", name: "n", input }] },
  };
}

Deno.test("encodeEvent refuses values that JSON cannot hold, names their place and what to give", () => {
  const cases: [unknown, RegExp][] = [
    [
      { a: [1, NaN] },
      /Cannot encode assistant_message: payload\.content\[0\]\.input\.a\[1\] is NaN, .*or pass a string/,
    ],
    [{ a: Infinity }, /\.input\.a is Infinity/],
    [-Infinity, /\.input is -Infinity/],
    [{ id: 10n }, /\.input\.id is a bigint, .*Pass new ExactNumber/],
    [[undefined], /\.input\[0\] is undefined/],
    [new Array(2), /\.input\[0\] is undefined/],
  ];
  for (const [input, expected] of cases) {
    assert.throws(() => textOf(started(input)), (error) => {
      assert.ok(error instanceof TypeError);
      assert.match(error.message, expected);
      return true;
    });
  }
  assert.match(textOf(started({ a: undefined, b: new Date(0) })), /"input":\{"b":"1970-/);
  assert.match(textOf(started({ toJSON: 1 })), /"input":\{"toJSON":1\}/);
});

Deno.test("encodeEvent writes an ExactNumber as its text, and a number field as a number", () => {
  const input = { id: new ExactNumber("1234567890123456789"), list: [new ExactNumber("1.0")] };
  assert.match(textOf(started(input)), /"input":\{"id":1234567890123456789,"list":\[1\.0\]\}/);
  const payload = { call_id: "c", name: "n", status: "ok", duration_ns: new ExactNumber("1e3") };
  assert.match(textOf({ seq: 1, kind: "tool_end", payload }), /"duration_ns":1000\}/);
  const endless = { ...payload, duration_ns: new ExactNumber("1e400") };
  assert.throws(() => textOf({ seq: 1, kind: "tool_end", payload: endless }), /is not a number/);
});
