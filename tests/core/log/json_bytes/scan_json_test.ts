import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { type JsonScan, scanJson } from "../../../../lib/core/log/json_bytes/scan_json.ts";
import { roundsOf } from "../../../_support/few_rounds.ts";
import { textBytes } from "../../../_support/log_bytes.ts";

function scan(text: string, levels = 512): JsonScan {
  return scanJson(textBytes(text), 0, levels);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // SyntaxError: the answer is no.
    return false;
  }
}

Deno.test("scanJson comes to the end of a value, whatever is behind it", () => {
  for (
    const text of ['{"a":[1,-2.5e+3,{}],"b":"\\u00e9\\n"}', "[]", '""', "{}", '[true,null,""]']
  ) {
    for (const rest of ["", "{", "x", '{"seq":1}', "\0", '"']) {
      assert.deepEqual(scan(text + rest), { end: text.length, complete: true });
    }
  }
});

Deno.test("scanJson stops at the first byte that cannot belong to the value", () => {
  const faults: [string, number][] = [
    ["{x", 1],
    ['{"a"}', 4],
    ['{"a":}', 5],
    ['{"a":1,}', 7],
    ["[1,]", 3],
    ["[1 2]", 3],
    ["[01]", 3],
    ["[tru]", 4],
    ['["\\x"]', 3],
    ['["\\u12g4"]', 6],
    ['["a\u0001"]', 3],
    ["[}", 1],
    ['{"a":1]', 6],
  ];
  for (const [text, end] of faults) assert.deepEqual(scan(text), { end, complete: false }, text);
});

Deno.test("scanJson takes a cut value to its end without a fault", () => {
  const text = '{"a":[1.5,{"b":"x\\\\y\\u00e9"}],"c":null}';
  assert.deepEqual(scan(text), { end: text.length, complete: true });
  for (let end = 1; end < text.length; end++) {
    const found = scan(text.slice(0, end));
    assert.equal(found.complete, false);
    assert.ok(found.end >= end, `cut at ${end}: fault at ${found.end}`);
  }
});

Deno.test("scanJson counts nesting beyond its levels as a fault", () => {
  assert.deepEqual(scan("[[[]]]", 3), { end: 6, complete: true });
  assert.deepEqual(scan("[[[]]]", 2), { end: 2, complete: false, too_deep: true });
  const inside = { end: 5, complete: false, too_deep: true };
  assert.deepEqual(scan('{"a":{"b":1}}', 1), inside);
});

Deno.test("scanJson starts where it is told", () => {
  assert.deepEqual(scanJson(textBytes("xx[1]yy"), 2, 512), { end: 5, complete: true });
});

Deno.test("scanJson agrees with JSON.parse on what is JSON", () => {
  const units = fc.constantFrom(
    ..."{}[],:".split(""),
    ...['"', '"a"', "\\", "\\u00e9", "1", "-0", "1e5", "0.5", "00", "true", "nul", " ", "\t", "é"],
  );
  const soup = fc.array(units, { maxLength: 12 }).map((parts) => parts.join(""));
  const broken = fc.tuple(fc.json(), fc.nat(), units).map(([json, at, unit]) => {
    const index = at % (json.length + 1);
    return json.slice(0, index) + unit + json.slice(index + (at % 3));
  });
  let valid = 0;
  fc.assert(
    fc.property(fc.oneof(soup, broken, fc.json()), (text) => {
      const inside = `[${text}]`;
      const { end, complete } = scan(inside);
      assert.equal(complete && end === textBytes(inside).length, isJson(inside), inside);
      if (isJson(inside)) valid++;
    }),
    { seed: 3, numRuns: roundsOf(4000) },
  );
  assert.ok(valid > roundsOf(4000) / 4, `${valid} valid texts`);
});
