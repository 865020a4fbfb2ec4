import assert from "node:assert/strict";
import {
  clearFields,
  fieldTable,
  walkFields,
} from "../../../../lib/core/log/json_bytes/object_fields.ts";
import { countAt, textAt } from "../../../../lib/core/log/json_bytes/values.ts";

const encoder = new TextEncoder();
const TABLE = fieldTable("id", "model", "usage", "input_tokens", "type", "speed");
const NAMES = ["id", "model", "usage", "input_tokens", "type", "speed"];

/** The found fields as their bytes, and where the walk ended. */
function walk(text: string, stop: "end" | "nested" = "end", start = 1): unknown {
  const bytes = encoder.encode(text);
  clearFields(TABLE);
  const end = walkFields(bytes, TABLE, start, bytes.length, stop);
  const found = NAMES.flatMap((name, index) => {
    const [from = -1, to = -1] = TABLE.spans.subarray(2 * index);
    return from < 0 ? [] : [[name, new TextDecoder().decode(bytes.subarray(from, to))]];
  });
  return [end, Object.fromEntries(found)];
}

Deno.test("walkFields finds the fields of an object, whatever stands between them", () => {
  const text = '{"x":[{"id":"no"}], "id":"a\\"b","usage":{"id":1},"other":null,"input_tokens":12}';
  assert.deepEqual(walk(text), [text.length, {
    id: '"a\\"b"',
    usage: '{"id":1}',
    input_tokens: "12",
  }]);
});

Deno.test("walkFields stops at the first nested value, and goes on behind one", () => {
  const text = '{"type":"a","model":"m","usage":{"id":1},"id":2}';
  assert.deepEqual(walk(text, "nested"), [32, { type: '"a"', model: '"m"', usage: "" }]);
  assert.deepEqual(walk(text, "end", 40), [text.length, { id: "2" }]);
});

Deno.test("walkFields says where bytes are no whole object", () => {
  const text = '{"id":"a","usage":{"id":[1,"}"]},"type":"b"}';
  assert.deepEqual((walk(text) as unknown[])[0], text.length);
  for (let length = 1; length < text.length; length++) {
    assert.deepEqual((walk(text.slice(0, length)) as unknown[])[0], -1, text.slice(0, length));
  }
  for (const broken of ['{"id" 1}', '{"id":}', "{id:1}", '{"id":1]', '{"id":1 "a":2}']) {
    assert.deepEqual((walk(broken) as unknown[])[0], -1, broken);
  }
});

Deno.test("textAt and countAt give what stands there, and nothing else", () => {
  const bytes = encoder.encode('"a\\u00e4\\n" "ü" 120 1.5 -3 "x');
  assert.equal(textAt(bytes, 0, 11), "aä\n");
  assert.equal(textAt(bytes, 12, 16), "ü");
  assert.equal(countAt(bytes, 17, 20), 120);
  assert.equal(countAt(bytes, 21, 24), undefined);
  assert.equal(countAt(bytes, 25, 27), undefined);
  assert.equal(countAt(bytes, 5, 5), undefined);
  assert.equal(textAt(bytes, 28, 30), undefined);
});
