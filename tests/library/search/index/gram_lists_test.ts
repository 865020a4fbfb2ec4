import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { forEachPair } from "../../../../lib/library/catalogue/cache/number_lists.ts";
import { blockOf, GramPairs, gramsOf } from "../../../../lib/library/search/index/gram_lists.ts";

/** Returns the groups of each gram, as blocks tell them. */
function listsIn(blocks: readonly Uint8Array[]): Map<number, number[]> {
  const lists = new Map<number, number[]>();
  for (const [number, block] of blocks.entries()) {
    forEachPair(block, (gram, group) => {
      assert.equal(blockOf(gram, blocks.length), number);
      const groups = lists.get(gram);
      if (groups === undefined) lists.set(gram, [group]);
      else groups.push(group);
    });
  }
  return lists;
}

/** Returns the groups of each gram, as looking at each text tells them. */
function listsOf(groups: readonly string[][]): Map<number, number[]> {
  const lists = new Map<number, number[]>();
  for (const [group, texts] of groups.entries()) {
    for (const gram of new Set(texts.flatMap(gramsOf))) {
      lists.set(gram, [...lists.get(gram) ?? [], group]);
    }
  }
  return lists;
}

const TEXT = fc.array(fc.constantFrom(..."aAb cÉΣ日🙂\n\0"), { maxLength: 60 })
  .map((characters) => characters.join(""));
const GROUPS = fc.array(fc.array(TEXT, { maxLength: 3 }), { maxLength: 12 });

// Slow: each round counts all grams that there may be.
Deno.test("GramPairs lists each gram's groups once, in order", () => {
  const pairs = new GramPairs();
  const property = fc.property(GROUPS, (groups) => {
    for (const texts of groups) pairs.addGroup(texts);
    assert.deepEqual(listsIn(pairs.take()), listsOf(groups));
  });
  fc.assert(property, { seed: 7, numRuns: 40 });
});

// Slow: each round counts all grams that there may be.
Deno.test("GramPairs merges parts as if their texts were added one after the other", () => {
  const [one, other, merged] = [new GramPairs(), new GramPairs(), new GramPairs()];
  const property = fc.property(GROUPS, GROUPS, (first, second) => {
    for (const texts of first) one.addGroup(texts);
    for (const texts of second) other.addGroup(texts);
    merged.addPart(one.take(), first.length);
    merged.addPart(other.take(), second.length);
    assert.deepEqual(listsIn(merged.take()), listsOf([...first, ...second]));
  });
  fc.assert(property, { seed: 8, numRuns: 20 });
});

Deno.test("GramPairs splits many pairs into blocks", () => {
  const pairs = new GramPairs();
  let state = 1;
  const random = (): number => state = (state * 48271) % 2147483647;
  const groups = Array.from({ length: 300 }, () => [
    Array.from({ length: 100 }, () => String.fromCharCode(97 + random() % 26)).join(""),
  ]);
  for (const texts of groups) pairs.addGroup(texts);
  const blocks = pairs.take();
  assert.ok(blocks.length >= 16, `${blocks.length}`);
  assert.deepEqual(
    listsIn(blocks),
    new Map([...listsOf(groups)].sort(([one], [other]) => one - other)),
  );
});
