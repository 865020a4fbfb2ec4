import assert from "node:assert/strict";
import { wellFormed } from "../../../lib/core/event/well_formed.ts";

Deno.test("wellFormed mends halves of surrogate pairs in texts and keys, and nothing else", () => {
  const value = { "k\ud800": ["a\udc00", "😀", 1, null, true, { deep: "\ud83d" }] };
  assert.deepEqual(wellFormed(value) as unknown, {
    "k\ufffd": ["a\ufffd", "😀", 1, null, true, { deep: "\ufffd" }],
  });
  assert.equal(wellFormed("ok"), "ok");
  assert.equal(wellFormed(undefined), undefined);
});

Deno.test("wellFormed keeps keys apart that would become the same", () => {
  assert.deepEqual(wellFormed(JSON.parse('{"\\ud800":1,"\\udfff":2,"\ufffd":3}')), {
    "\ufffd": 1,
    "\ufffd\ufffd": 2,
    "\ufffd\ufffd\ufffd": 3,
  });
});

Deno.test("wellFormed keeps a key __proto__ a key", () => {
  const copy = wellFormed(JSON.parse('{"__proto__":{"polluted":true}}'));
  assert.deepEqual(Object.keys(copy), ["__proto__"]);
  assert.equal(Object.getPrototypeOf(copy), Object.prototype);
  assert.equal(copy.polluted, undefined);
});

Deno.test("wellFormed copies: a change of the copy leaves the value alone", () => {
  const value = { list: [{ text: "a" }] };
  const copy = wellFormed(value);
  (copy.list[0] as { text: string }).text = "b";
  assert.deepEqual(value, { list: [{ text: "a" }] });
});
