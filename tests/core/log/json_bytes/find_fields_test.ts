import {
  fieldIs,
  fieldNames,
  type FieldPlace,
  fieldStart,
  findFields,
  findFirstFields,
  findLastFields,
  readFieldBefore,
  textField,
} from "../../../../lib/core/log/json_bytes/find_fields.ts";
import assert from "node:assert/strict";

const NAMES = fieldNames("type", "id", "parent");

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function find(text: string): (string | undefined)[] {
  const bytes = bytesOf(text);
  const spans = findFields(bytes, NAMES);
  return [0, 1, 2].map((index) => textField(bytes, spans, index));
}

const RECORDS: [string, (string | undefined)[]][] = [
  ['{"type":"a","id":"b","parent":"c","rest":[1]}', ["a", "b", "c"]],
  ['{"x":{"id":"no","type":"no"},"y":["{\\"id\\":\\"no\\"}"],"id":"b","type":"a"}', [
    "a",
    "b",
    undefined,
  ]],
  ['{ "type" : "a\\n\\u00e9" , "id":"é", "parent":null }', ["a\né", "é", undefined]],
  [`{"x":"${"long ".repeat(50)}\\\\\\"","id":"b"}`, [undefined, "b", undefined]],
  ['{"a":-1.5e3,"b":true,"id":"b"}', [undefined, "b", undefined]],
  ["{}", [undefined, undefined, undefined]],
  ["[1]", [undefined, undefined, undefined]],
];

Deno.test("fields are found at the top of an object, wherever they stand", () => {
  for (const [text, expected] of RECORDS) assert.deepEqual(find(text), expected, text);
});

Deno.test("findFields finds no wrong field in an object cut at any byte", () => {
  for (const [text, expected] of RECORDS) {
    for (let length = 0; length < text.length; length++) {
      find(text.slice(0, length)).forEach((found, index) => {
        assert.ok(found === undefined || found === expected[index], text.slice(0, length));
      });
    }
  }
});

Deno.test("a text or a word that another record's start closes is not taken", () => {
  for (const word of ["tru", "nul", "-1", ""]) {
    const torn = `{"type":"a","x":${word}{"parent":"p","id":"c","type":"b"}`;
    assert.deepEqual(find(torn), ["a", undefined, undefined], torn);
  }
  assert.deepEqual(find('{"type":"a","id":"torn{"type":"b","id":"c"}'), [
    "a",
    undefined,
    undefined,
  ]);
});

Deno.test("the first fields end at the first object, of which the start is told", () => {
  const bytes = bytesOf('{"type":"a","parent":{"id":"no"},"id":"b"}');
  const spans = findFirstFields(bytes, NAMES);
  assert.equal(textField(bytes, spans, 0), "a");
  assert.equal(textField(bytes, spans, 1), undefined);
  assert.equal(fieldStart(spans, 2), 21);
  assert.ok(fieldIs(bytes, spans, 2, "{"));
});

Deno.test("the last fields are found from the end, beside the first ones", () => {
  const bytes = bytesOf('{"type":"a","x":{"id":"no","parent":"no"},"id":"b","parent":"c"}');
  findFirstFields(bytes, NAMES);
  const spans = findLastFields(bytes, NAMES);
  assert.deepEqual([0, 1, 2].map((index) => textField(bytes, spans, index)), ["a", "b", "c"]);
});

Deno.test("from the end, nothing is taken out of what is nested or escaped", () => {
  for (
    const text of [
      '{"x":{"id":"no"}}',
      '{"x":"\\",\\"id\\":\\"no"}',
      '{"x":["id","no"]}',
      '{"x":"a\\"","y":"id"}',
    ]
  ) {
    const bytes = bytesOf(text);
    findFirstFields(bytes, NAMES);
    assert.equal(textField(bytes, findLastFields(bytes, NAMES), 1), undefined, text);
  }
});

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
