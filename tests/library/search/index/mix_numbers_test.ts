import assert from "node:assert/strict";
import { mixNumbers } from "../../../../lib/library/search/index/mix_numbers.ts";

Deno.test("mixNumbers tells numbers apart that differ in one bit, or in their order", () => {
  const numbers = [2 ** 40 + 17, 0, 2 ** 52 + 1, -1, 1_795_959_898_951];
  const seen = new Set([mixNumbers(numbers), mixNumbers(numbers.toReversed())]);
  for (const index of numbers.keys()) {
    for (let bit = 0; bit < 53; bit++) {
      const flipped = Number(BigInt.asIntN(54, BigInt(numbers[index] ?? 0) ^ (1n << BigInt(bit))));
      seen.add(mixNumbers(numbers.with(index, flipped)));
    }
  }
  assert.equal(seen.size, 2 + 5 * 53);
});
