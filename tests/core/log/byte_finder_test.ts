import { BYTE_FINDER_CODE } from "../../../lib/core/log/byte_finder_code.ts";
import {
  type ByteFinder,
  makeByteFinder,
  makePlainFinder,
  makeSimdFinder,
} from "../../../lib/core/log/byte_finder.ts";
import { bytePattern, MAX_PATTERN_BYTES, textPattern } from "../../../lib/core/log/byte_pattern.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { compileByteFinder } from "../../_support/make_byte_finder.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import assert from "node:assert/strict";

const CAPACITY = 1000;

/** Both ways to find, where both are there. */
function finders(capacity = CAPACITY): ByteFinder[] {
  const simd = makeSimdFinder(capacity);
  assert.ok(simd !== undefined, "Deno runs WebAssembly with SIMD");
  return [simd, makePlainFinder(capacity)];
}

type Places = number[][];

function naiveFind(bytes: Uint8Array, places: Places, start: number, end: number): number {
  for (let at = start; at + places.length <= end; at++) {
    if (places.every((some, index) => some.includes(bytes[at + index] as number))) return at;
  }
  return -1;
}

Deno.test("byte_finder_code.ts is what byte_finder.wat makes", async () => {
  const code = await compileByteFinder();
  assert.equal(BYTE_FINDER_CODE, btoa(String.fromCharCode(...code)));
});

Deno.test("ByteFinder finds what a naive search finds, wherever it lies", () => {
  const rounds = roundsOf(4000, 1000);
  const random = mulberry32(9);
  const below = (limit: number): number => Math.floor(random() * limit);
  for (const finder of finders()) {
    let found = 0;
    for (let round = 0; round < rounds; round++) {
      // Few different bytes, so that beginnings of the pattern stand everywhere.
      const letters = 1 + below(4);
      const [start, length] = [below(130), below(200)];
      finder.bytes.fill(0x61);
      for (let at = 0; at < CAPACITY; at++) finder.bytes[at] = 0x61 + below(letters);
      const places: Places = Array.from({ length: 1 + below(6) }, () => {
        const letter = 0x61 + below(letters);
        return below(2) === 0 ? [letter] : [letter, letter - 0x20];
      });
      if (below(2) === 0) finder.bytes[start + below(length + 1)] = 0x41;
      const end = Math.min(CAPACITY, start + length);
      const expected = naiveFind(finder.bytes, places, start, end);
      assert.equal(finder.find(bytePattern(places), start, end), expected);
      if (expected >= 0) found++;
    }
    assert.ok(found > rounds / 4 && found < rounds * 7 / 8, `${found} of ${rounds} found`);
  }
});

Deno.test("ByteFinder finds a pattern at every place of a block, and never one cut by its end", () => {
  const pattern = textPattern("needle");
  for (const finder of finders(300)) {
    for (let at = 0; at <= 294; at++) {
      finder.bytes.fill(0x2e);
      finder.bytes.set(new TextEncoder().encode("needle"), at);
      assert.equal(finder.find(pattern, 0, 300), at);
      assert.equal(finder.find(pattern, at, at + 6), at);
      assert.equal(finder.find(pattern, at + 1, 300), -1);
      assert.equal(finder.find(pattern, 0, at + 5), -1);
    }
  }
});

Deno.test("ByteFinder gives every place of a byte between two borders", () => {
  const random = mulberry32(10);
  for (const finder of finders()) {
    for (let round = 0; round < 1000; round++) {
      const often = random();
      for (let at = 0; at < CAPACITY; at++) finder.bytes[at] = random() < often ? 10 : 200;
      const start = Math.floor(random() * 130);
      const end = start + Math.floor(random() * (CAPACITY - start + 1));
      const expected = [];
      for (let at = start; at < end; at++) if (finder.bytes[at] === 10) expected.push(at);
      assert.deepEqual([...finder.places(10, start, end)], expected);
    }
  }
});

Deno.test("ByteFinder tells of a NUL wherever places passes one, and of none far behind it", () => {
  for (const finder of finders()) {
    for (let at = 0; at < 300; at++) {
      finder.bytes.fill(0x61);
      finder.bytes[at] = 0;
      finder.places(10, 5, 200);
      if (at >= 5 && at < 200) assert.ok(finder.saw_nul, `a NUL at ${at}`);
      else if (at < 5 || at >= 263) assert.ok(!finder.saw_nul, `a NUL at ${at}`);
    }
    finder.bytes.fill(0x61);
    finder.places(10, 0, CAPACITY - 64);
    assert.ok(!finder.saw_nul);
  }
});

Deno.test("ByteFinder takes the longest pattern, one of one byte, and more patterns than it keeps", () => {
  for (const finder of finders()) {
    for (let byte = 0; byte < 100; byte++) finder.bytes[byte] = byte;
    for (let round = 0; round < 2; round++) {
      for (let byte = 0; byte < 100; byte++) {
        assert.equal(finder.find(bytePattern([[byte]]), 0, 100), byte);
      }
    }
    finder.bytes.fill(0x78, 0, 1000);
    const longest = textPattern("x".repeat(MAX_PATTERN_BYTES));
    assert.equal(finder.find(longest, 5, 1000), 5);
    assert.equal(finder.find(longest, 5, 5 + MAX_PATTERN_BYTES - 1), -1);
    assert.equal(finder.find(longest, 1000 - MAX_PATTERN_BYTES, 1000), 1000 - MAX_PATTERN_BYTES);
  }
});

Deno.test("makeByteFinder makes finders that do not share their bytes", () => {
  const [one, other] = [makeByteFinder(64), makeByteFinder(64)];
  one.bytes.fill(1);
  assert.equal(one.bytes.length, 64);
  assert.equal(other.find(bytePattern([[1]]), 0, 64), -1);
});

Deno.test("bytePattern refuses what cannot be looked for", () => {
  assert.throws(() => textPattern(""), RangeError);
  assert.throws(() => bytePattern([[]]), RangeError);
  assert.throws(() => textPattern("x".repeat(MAX_PATTERN_BYTES + 1)), RangeError);
});

Deno.test("bytePattern counts the letters of a place in any case as one", () => {
  const { values, masks } = bytePattern([[0x4b, 0x6b], [0x22]]);
  assert.deepEqual([...values, ...masks], [0x6b, 0x22, 0x20, 0]);
});
