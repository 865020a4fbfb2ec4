import assert from "node:assert/strict";
import { readLinePrefix, readLineTime } from "../../../lib/core/event/line_prefix.ts";
import { encodeEvent } from "../../../lib/core/event/encode.ts";
import { EVENT_KINDS } from "../../../lib/core/event/policy.ts";
import { linesOf, numbered, textBytes } from "../../_support/log_bytes.ts";
import { everyKind } from "../../_support/every_kind.ts";

function prefixOf(text: string): unknown {
  return readLinePrefix(textBytes(text));
}

Deno.test("readLinePrefix reads seq and kind of every line that encodeEvent writes", () => {
  const events = everyKind();
  for (const from of [1, 9, 99_999, 4_294_967_295, Number.MAX_SAFE_INTEGER - events.length]) {
    for (const [index, line] of linesOf(events, from).entries()) {
      assert.deepEqual(readLinePrefix(line), { seq: from + index, kind: events[index]?.kind });
    }
  }
});

Deno.test("readLinePrefix reads kinds that this version does not know", () => {
  for (
    const kind of [
      "hologram",
      "x",
      "tool_star",
      "tool_starts",
      "usfr_message",
      "a9_",
      "k".repeat(64),
    ]
  ) {
    assert.deepEqual(prefixOf(`{"v":1,"seq":5,"kind":"${kind}","payload":{}}`), { seq: 5, kind });
  }
});

Deno.test("readLinePrefix tells kinds with equal hashes apart", () => {
  let twins = 0;
  // The hash takes 31 times a byte and then the next, so that (c, d) and (c + 2, d - 62) collide.
  for (const kind of EVENT_KINDS) {
    for (let index = 0; index + 1 < kind.length; index++) {
      const pair = [kind.charCodeAt(index) + 2, kind.charCodeAt(index + 1) - 62];
      const twin = kind.slice(0, index) + String.fromCharCode(...pair) + kind.slice(index + 2);
      if (!/^[a-z0-9_]+$/.test(twin)) continue;
      assert.deepEqual(prefixOf(`{"v":1,"seq":1,"kind":"${twin}",`), { seq: 1, kind: twin });
      twins++;
    }
  }
  assert.ok(twins > 20, `${twins} twins`);
});

Deno.test("readLinePrefix gives nothing when the prefix is not canonical", () => {
  const whole = '{"v":1,"seq":12,"kind":"diff","payload":{}}';
  const others = [
    whole.replace('"v":1', '"v":3'),
    whole.replace('"v":1', '"v":12'),
    whole.replace('"v":1,', ""),
    whole.replace("12", "012"),
    whole.replace("12", "0"),
    whole.replace("12", "-1"),
    whole.replace("12", "1.5"),
    whole.replace("12", "1e3"),
    whole.replace("12", ""),
    whole.replace("12", "9007199254740992"),
    whole.replace("12", "9".repeat(400)),
    whole.replace("12", '"12"'),
    whole.replace('"v":1', '"v":2'),
    whole.replace('"diff"', '""'),
    whole.replace('"diff"', '"Diff"'),
    whole.replace('"diff"', '"di\\u0066f"'),
    whole.replace('"diff"', '"di ff"'),
    whole.replace('"diff"', `"${"k".repeat(65)}"`),
    whole.replace('"diff",', '"diff"}'),
    whole.replace('"kind"', '"Kind"'),
    " " + whole,
    whole.replace(',"kind"', ', "kind"'),
  ];
  assert.deepEqual(prefixOf(whole), { seq: 12, kind: "diff" });
  for (const line of others) assert.equal(prefixOf(line), undefined, line);
});

Deno.test("readLinePrefix gives nothing for a line cut anywhere in its prefix", () => {
  const whole = '{"v":1,"seq":12,"kind":"diff",';
  assert.deepEqual(prefixOf(whole), { seq: 12, kind: "diff" });
  for (let end = 0; end < whole.length; end++) {
    assert.equal(prefixOf(whole.slice(0, end)), undefined);
  }
});

Deno.test("readLineTime reads the time of every line that encodeEvent writes", () => {
  const events = numbered(everyKind(), 4_294_967_295);
  for (const event of events) assert.equal(readLineTime(encodeEvent(event)), event.time);
});

Deno.test("readLineTime gives nothing where the time does not stand in its place", () => {
  const others = [
    '{"v":1,"seq":1,"kind":"diff","payload":{"time":"t"}}',
    '{"v":1,"seq":1,"kind":"diff","time":5}',
    '{"v":1,"seq":1,"kind":"diff","time":"a\\"b"}',
    '{"v":1,"seq":1,"kind":"diff","time":"2026',
    '{"seq":1,"kind":"diff","time":"t"}',
    "",
  ];
  assert.equal(readLineTime(textBytes('{"v":1,"seq":1,"kind":"diff","time":"t"}')), "t");
  for (const line of others) assert.equal(readLineTime(textBytes(line)), undefined, line);
});
