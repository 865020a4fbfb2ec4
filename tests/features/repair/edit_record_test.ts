import assert from "node:assert/strict";
import { withMember, withoutItems } from "../../../lib/features/repair/edit_record.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

Deno.test("a member is changed, and no other byte", () => {
  const record =
    '{ "n":1.0,"parentId" : "a\\"b" , "deep":{"parentId":"c"},"é":12345678901234567890}';
  const changed = decode(withMember(encode(record), "parentId", "x"));
  assert.equal(changed, record.replace('"a\\"b"', '"x"'));
  assert.equal(
    decode(withMember(encode(record), "parentId", null)),
    record.replace('"a\\"b"', "null"),
  );
});

Deno.test("the last of several members of one name counts, and a missing one is added", () => {
  assert.equal(decode(withMember(encode('{"p":1,"p":[2,{"p":3}]}'), "p", "x")), '{"p":1,"p":"x"}');
  assert.equal(decode(withMember(encode('{"a":1}'), "p", null)), '{"p":null,"a":1}');
  assert.equal(decode(withMember(encode("{}"), "p", "x")), '{"p":"x"}');
  assert.equal(decode(withMember(encode('{"\\u0070":1}'), "p", 2)), '{"\\u0070":2}');
});

Deno.test("items are taken out of a list, and the others stay as they were written", () => {
  const record = '{"message":{"content":[ {"a":1.0} ,"b,]", [1] ]},"content":[0]}';
  const without = (...removed: number[]): string =>
    decode(withoutItems(encode(record), ["message", "content"], new Set(removed)));
  assert.equal(without(0), '{"message":{"content":["b,]",[1]]},"content":[0]}');
  assert.equal(without(1, 2), '{"message":{"content":[{"a":1.0}]},"content":[0]}');
  assert.equal(without(0, 1, 2), '{"message":{"content":[]},"content":[0]}');
  assert.equal(withoutItems(encode(record), ["message"], new Set([0])), undefined);
  assert.equal(withoutItems(encode(record), ["none", "content"], new Set([0])), undefined);
});
