import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { foldText } from "../../../lib/search/fold.ts";
import { distinctGrams } from "../../../lib/search/index/segment_writer.ts";

function grams(text: string): Set<string> {
  const characters = [...text];
  return new Set(characters.slice(2).map((_, at) => characters.slice(at, at + 3).join("")));
}

Deno.test("distinctGrams keeps every group of three characters, and no other character in two", () => {
  const characters = fc.constantFrom(..."aAb cÉΣ日🙂\n");
  const text = fc.array(characters, { maxLength: 200 }).map((all) => all.join(""));
  const property = fc.property(fc.array(text, { maxLength: 3 }), (texts) => {
    const left = distinctGrams(texts);
    assert.ok(left.isWellFormed());
    const found = grams(left);
    for (const whole of texts) {
      for (const gram of grams(foldText(whole))) assert.ok(found.has(gram), gram);
    }
  });
  fc.assert(property, { seed: 7, numRuns: 3000 });
});

Deno.test("distinctGrams leaves out repetitions", () => {
  assert.ok(distinctGrams(Array(1000).fill("the same again and again. ")).length < 60);
});
