import assert from "node:assert/strict";
import { copyJson } from "../../../lib/core/event/copy_json.ts";
import { parseExact } from "../../../lib/core/event/exact_json.ts";

Deno.test("copyJson copies all levels, and keeps exact numbers, bytes and odd keys", () => {
  const bytes = new Uint8Array([1]);
  const number = parseExact("1234567890123456789");
  const value = { list: [{ text: "a" }], number, bytes, ["__proto__"]: { a: 1 } };
  const copy = copyJson(value);
  assert.deepEqual(copy, value);
  assert.equal(Object.hasOwn(copy, "__proto__"), true);
  assert.deepEqual([copy.number === number, copy.bytes === bytes], [true, true]);
  Object.assign(copy.list[0] ?? {}, { text: "b" });
  assert.equal(value.list[0]?.text, "a");
});
