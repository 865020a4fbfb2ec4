import assert from "node:assert/strict";
import { ExactNumber } from "../../../../lib/core/event/exact_number.ts";
import {
  handedLine,
  handedOriginals,
  handedStatus,
  handedText,
  ORIGINALS_MARK,
} from "../../../../lib/agents/engine/handed/line.ts";

Deno.test("a handed line escapes line separators and keeps numbers as they were written", () => {
  const value = { text: "a\u2028b\u2029c\\u2028", n: new ExactNumber("12345678901234567890") };
  const line = handedLine(value);
  assert.equal(
    line,
    '{"text":"a\\u2028b\\u2029c\\\\u2028","n":12345678901234567890}\n',
  );
  assert.equal(JSON.parse(line).text, value.text);
});

Deno.test("the original calls of a record begin with the mark by which they are found", () => {
  const original = { id: "c/1", name: "Read", input: { file_path: "a" }, status: "ok" as const };
  const call = { id: "call_1", name: "read", input: {}, output: [], failed: false, original };
  const record = { type: "message", ...handedOriginals("claude:x", [call]) };
  assert.ok(handedLine(record).includes(ORIGINALS_MARK));
  assert.deepEqual(record.reprise, { from: "claude:x", calls: { call_1: original } });
  assert.deepEqual(handedOriginals("claude:x", []), {});
});

Deno.test("a record says how a call that was handed over ended", () => {
  const calls = { c1: { id: "x", name: "y", status: "skipped" }, c2: { status: "fine" }, c3: null };
  const record = { reprise: { from: "pi:1", calls } };
  assert.equal(handedStatus(record, "c1"), "skipped");
  for (const id of ["c2", "c3", "c4", "constructor", "__proto__"]) {
    assert.equal(handedStatus(record, id), undefined);
  }
  for (const reprise of [null, 1, "x", [], {}, { calls: [] }]) {
    assert.equal(handedStatus({ reprise }, "c1"), undefined);
  }
  assert.equal(handedStatus({}, "c1"), undefined);
});

Deno.test("an image is a line that names it where a session holds texts alone", () => {
  const image = { type: "image", media_type: "image/png", data: "iVBORw0KGgo=" } as const;
  const text = (words: string) => ({ type: "text", text: words }) as const;
  assert.equal(
    handedText([text("before"), image, text("behind")]),
    "before\n[image (image/png): not handed over]\nbehind",
  );
  assert.equal(handedText([]), "");
});
