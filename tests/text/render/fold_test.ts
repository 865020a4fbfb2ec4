import assert from "node:assert/strict";
import { foldText } from "../../../lib/text/render/fold.ts";

function numberLines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");
}

Deno.test("foldText keeps head and tail and counts what is between", () => {
  const folded = foldText(numberLines(20), { head: 2, tail: 1 });
  assert.deepEqual(folded, {
    head: "line 1\nline 2",
    tail: "line 20",
    hidden_lines: 17,
    hidden_bytes: [..."3456789"].length * 7 + 10 * 8 - 1,
  });
});

Deno.test("foldText shows all where the marker would spare nothing", () => {
  const limits = { head: 8, tail: 4 };
  for (const count of [1, 11, 12, 13]) {
    const text = numberLines(count);
    assert.deepEqual(foldText(text, limits), {
      head: text,
      tail: "",
      hidden_lines: 0,
      hidden_bytes: 0,
    });
  }
  assert.equal(foldText(numberLines(14), limits).hidden_lines, 2);
});

Deno.test("foldText loses no line, whatever the text begins or ends with", () => {
  for (const text of ["", "\n", "\n\n\n\n\n\n", "\na\n\nb\n\n\n", "a\n\n\n\n\n\nb"]) {
    for (const limits of [{ head: 1, tail: 1 }, { head: 2, tail: 0 }, { head: 0, tail: 2 }]) {
      const folded = foldText(text, limits);
      const total = text.split("\n").length;
      if (folded.hidden_lines === 0) assert.equal(folded.head, text);
      else assert.equal(folded.hidden_lines, total - limits.head - limits.tail);
    }
  }
});
