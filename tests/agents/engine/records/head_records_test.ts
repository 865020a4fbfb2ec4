import assert from "node:assert/strict";
import { parseJsonPrefix } from "../../../../lib/agents/engine/records/head_records.ts";

Deno.test("parseJsonPrefix gives what stands there, wherever a document is cut", () => {
  const document = '{"a":"x,\\"}{","b":[1,{"c":[]},true],"d":{"e":null}}';
  const whole = JSON.parse(document);
  assert.deepEqual(parseJsonPrefix(document), whole);
  for (let length = 1; length < document.length; length++) {
    const value = parseJsonPrefix(document.slice(0, length)) as Record<string, unknown>;
    assert.ok(value !== undefined, document.slice(0, length));
    const cut = value.a !== undefined && value.b === undefined;
    if (cut) assert.ok(whole.a.startsWith(value.a));
    else assert.equal(value.a, value.b === undefined ? undefined : whole.a);
    for (const key of Object.keys(value)) assert.ok(key in whole, key);
  }
  assert.deepEqual(parseJsonPrefix('{"a":"x","b":[1,{"c":'), { a: "x", b: [1, {}] });
  assert.deepEqual(parseJsonPrefix('{"a":"x","b":["a long te'), { a: "x", b: ["a long te"] });
  assert.deepEqual(parseJsonPrefix('{"a":"x","b":"cut\\'), { a: "x" });
});

Deno.test("parseJsonPrefix gives nothing of what is no JSON", () => {
  for (const text of ["", "# Notes", '{"a":1}\n{"b":2}\n', "{x}", '"half'] as const) {
    assert.equal(parseJsonPrefix(text), undefined, text);
  }
});
