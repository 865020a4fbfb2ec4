import assert from "node:assert/strict";
import { type FieldPlace, readFieldBefore } from "../../../lib/log/json_bytes/field_before.ts";

/** The fields at the end of an object, last one first, as far as they are told. */
function fieldsBefore(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  const place: FieldPlace = { key: 0, key_end: 0, value: 0 };
  const fields: string[] = [];
  let end = bytes.length - 1;
  const say = (from: number, to: number): string =>
    new TextDecoder().decode(bytes.subarray(from, to));
  while (readFieldBefore(bytes, end, 0, place)) {
    fields.push(`${say(place.key, place.key_end)}=${say(place.value, end)}`);
    if (bytes[place.key - 2] !== 0x2c) break;
    end = place.key - 2;
  }
  return fields;
}

Deno.test("readFieldBefore reads fields with simple values from the end of an object", () => {
  const text = '{"a":"x","b":12.5,"c":true,"d":null,"e":[1,[2]],"f":"é"}';
  const all = ['f="é"', "e=[1,[2]]", "d=null", "c=true", "b=12.5", 'a="x"'];
  assert.deepEqual(fieldsBefore(text), all);
});

Deno.test("readFieldBefore stops where it cannot be sure of the field", () => {
  for (
    const value of ['"x\\"y"', '{"a":1}', '["a"]', '[{"b":0,"a":1}]', "{}", '"\\\\"', ""]
  ) {
    assert.deepEqual(fieldsBefore(`{"k":${value},"last":1}`), ["last=1"], value);
  }
  assert.deepEqual(fieldsBefore('{"k":"said \\",\\"type\\":\\"user","last":1}'), ["last=1"]);
  for (const text of ["}", "1}", ":1}", '":1}', '"k":}', "{}"]) {
    assert.deepEqual(fieldsBefore(text), [], text);
  }
});
