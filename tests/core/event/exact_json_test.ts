import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { parseExact } from "../../../lib/core/event/exact_json.ts";
import { ExactNumber } from "../../../lib/core/event/exact_number.ts";
import { documentOf, nastyDocument, nastyNumber } from "../../_support/nasty_numbers.ts";

Deno.test("parseExact keeps the text of a number that JavaScript would write otherwise", () => {
  const texts = [
    ...["1234567890123456789", "100000000000000000000000000000", "1e400", "-1e400", "1e-400"],
    ...["1.0", "0.10", "1E5", "1e5", "-0", "-0.0", "0.1000000000000000055", "0.0000001", "1e21"],
    ...["9007199254740993", "12345678.123456789012", "1.7976931348623159e308", "5e-325"],
  ];
  for (const text of texts) {
    for (const json of [text, `[${text}]`, `{"a":${text}}`, ` { "a" : [ 1, ${text} , "\\"" ] } `]) {
      assert.equal(JSON.stringify(parseExact(json)), json.replaceAll(/\s/g, ""), json);
    }
    assert.deepEqual(parseExact(text), new ExactNumber(text));
  }
});

Deno.test("parseExact gives plain numbers where JavaScript writes them as they are", () => {
  const texts = [
    ...["0", "1", "-1", "12", "123456789012345", "9007199254740991", "1e+21", "1e-7", "0.1"],
    ...["0.30000000000000004", "1.7976931348623157e+308", "5e-324", "123.456", "-0.5"],
  ];
  for (const text of texts) assert.equal(typeof parseExact(text), "number", text);
});

Deno.test("parseExact leaves digits inside strings alone", () => {
  const json = String.raw`{"1.0":"1.0","a\\":"\\\" 1.0, -0, 1e5 \\\\","b":[1,"2.0"]}`;
  assert.deepEqual(parseExact(json), JSON.parse(json));
});

Deno.test("parseExact keeps a member called __proto__, and the last of two of one name", () => {
  const json = '{"__proto__":{"a":1.0},"b":1,"b":2.0}';
  assert.equal(JSON.stringify(parseExact(json)), '{"__proto__":{"a":1.0},"b":2.0}');
});

Deno.test("parseExact refuses a name that is given twice, where it is asked to", () => {
  const options = { unique_names: true };
  for (
    const json of ['{"a":1,"a":1}', '[{"b":{"a":1,"\\u0061":2}}]', '{"__proto__":1,"__proto__":2}']
  ) {
    assert.throws(() => parseExact(json, options), /^SyntaxError: an object has a duplicate key/);
  }
  for (const json of ['{"a":{"a":1},"b":[{"a":":"}]}', "5", '{"1":":","0":"\\":"}']) {
    assert.deepEqual(parseExact(json, options), JSON.parse(json));
  }
});

Deno.test("parseExact gives what is too deep for a log as JSON.parse does", () => {
  const deep = `${"[".repeat(100_000)}1.0${"]".repeat(100_000)}`;
  assert.ok(Array.isArray(parseExact(deep)));
  assert.throws(() => parseExact("[1.0"), SyntaxError);
  assert.throws(() => parseExact("[01]"), SyntaxError);
});

Deno.test("a document with any numbers is written again as it was", () => {
  fc.assert(
    fc.property(nastyDocument, (document) => {
      const json = documentOf(document);
      assert.equal(JSON.stringify(parseExact(json)), json);
    }),
    { seed: 40, numRuns: 2000 },
  );
});

Deno.test("an ExactNumber is its text in JSON and in texts, and the nearest number in arithmetic", () => {
  fc.assert(
    fc.property(nastyNumber, (text) => {
      const number = new ExactNumber(text);
      assert.equal(JSON.stringify([number]), `[${text}]`);
      assert.equal(`${number}`, text);
      assert.equal(Number(number), Number(text));
      assert.deepEqual(number, new ExactNumber(text));
    }),
    { seed: 41, numRuns: 500 },
  );
  assert.notDeepEqual(new ExactNumber("1.0"), new ExactNumber("1.00"));
});

Deno.test("an ExactNumber is made of the text of a JSON number alone", () => {
  for (const text of ["", "01", "1.", ".5", "+1", "0x10", "NaN", "Infinity", "1 ", '"1"', "1,2"]) {
    assert.throws(() => new ExactNumber(text), TypeError, text);
  }
});
