import assert from "node:assert/strict";
import { caseVariants, foldText } from "../../../lib/library/search/fold.ts";

function casedCharacters(): string[] {
  const cased = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u;
  return Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code))
    .filter((character) => cased.test(character));
}

Deno.test("foldText makes those letters one that a regular expression takes for one, and no others", () => {
  const all = casedCharacters();
  const text = all.join("");
  assert.ok(all.length > 2800, `${all.length}`);
  const groups = Map.groupBy(all, foldText);
  for (const [folded, group] of groups) {
    const found = text.match(new RegExp(folded, "giu")) ?? [];
    assert.deepEqual(found, group, folded);
    for (const letter of group) assert.deepEqual(caseVariants(letter), group);
  }
});

Deno.test("foldText keeps the number of characters, whatever stands beside a letter", () => {
  for (const text of ["ΣΊΣΥΦΟΣ", "İstanbul", "STRASSE ß ẞ", "KELVIN", "漢字 ABC", ""]) {
    const folded = foldText(text);
    assert.equal([...folded].length, [...text].length);
    assert.equal([...text].map(foldText).join(""), folded);
  }
});
