import assert from "node:assert/strict";
import { callInputText, parseCallInput } from "../../../lib/core/event/call_input.ts";
import { ExactNumber } from "../../../lib/core/event/exact_number.ts";

Deno.test("parseCallInput keeps a text that JSON.stringify would not write, and no other", () => {
  assert.deepEqual(parseCallInput('{"a":[1,"é"]}'), { input: { a: [1, "é"] } });
  for (const text of ['{"a": 1}', '{"a":"\\u00e9"}', '{"2":1,"1":2}', '{"a":1,"a":2}', "[1] "]) {
    assert.deepEqual(parseCallInput(text), { input: JSON.parse(text), input_text: text });
  }
  assert.deepEqual(parseCallInput("[1.0]"), {
    input: [new ExactNumber("1.0")],
    input_text: "[1.0]",
  });
  assert.throws(() => parseCallInput("{"), SyntaxError);
});

Deno.test("callInputText gives the call's own text only where it stands for the input", () => {
  for (const text of ['{"a":1}', '{ "a" : 1.0 }', '{"10":1,"2":"\\u00e9"}', '{"a":1,"a":2}']) {
    assert.equal(callInputText(parseCallInput(text)), text);
  }
  for (const input_text of ['{"a":2}', '{"a":1.0}', "{", "", "[".repeat(100_000)]) {
    assert.equal(callInputText({ input: { a: 1 }, input_text }), '{"a":1}');
  }
});
