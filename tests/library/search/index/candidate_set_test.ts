import assert from "node:assert/strict";
import { nthLargest } from "../../../../lib/library/search/index/candidate_set.ts";

Deno.test("nthLargest is what sorting gives", () => {
  for (const size of [0, 1, 5, 300, 2000]) {
    const values = Float64Array.from({ length: size }, (_, index) => (index * 7919) % 1009);
    const sorted = [...values].sort((a, b) => b - a);
    for (const count of [1, 2, 31, 256, 257, 1999]) {
      assert.equal(nthLargest(values, count), sorted[count - 1] ?? -Infinity);
    }
  }
});
