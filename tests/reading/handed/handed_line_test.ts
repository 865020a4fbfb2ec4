import assert from "node:assert/strict";
import { ExactNumber } from "../../../lib/event/exact_number.ts";
import {
  handedLine,
  handedOriginals,
  ORIGINALS_MARK,
} from "../../../lib/reading/handed/handed_line.ts";

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
