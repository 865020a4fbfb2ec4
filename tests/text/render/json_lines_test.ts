import { roundsOf } from "../../_support/few_rounds.ts";
import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { toJsonLine } from "../../../lib/text/render/json_lines.ts";
import { isHarmless } from "./_harmless.ts";
import { codePoint } from "../../_support/code_point.ts";

Deno.test("toJsonLine escapes what a terminal would obey, and nothing else", () => {
  assert.equal(
    toJsonLine({ "k\x9b": "\x1b[31m\x7f\u202e\u2028é日本👨‍👩‍👧" }),
    '{"k\\u009b":"\\u001b[31m\\u007f\\u202e\\u2028é日本👨‍👩‍👧"}\n',
  );
  assert.equal(toJsonLine(undefined), "null\n");
});

Deno.test("a line of toJsonLine is one harmless line and parses to the value", () => {
  const value = fc.jsonValue({ maxDepth: 4, stringUnit: codePoint });
  const hostile = fc.string({ unit: codePoint }).map((text) => ({ [text]: [text] }));
  fc.assert(
    fc.property(fc.oneof(value, hostile), (input) => {
      const line = toJsonLine(input);
      assert.ok(isHarmless(line));
      assert.equal(line.indexOf("\n"), line.length - 1);
      assert.deepEqual(JSON.parse(line), JSON.parse(JSON.stringify(input)));
    }),
    { seed: 7, numRuns: roundsOf(1_000) },
  );
});
