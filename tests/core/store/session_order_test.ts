import assert from "node:assert/strict";
import type { Summary } from "../../../lib/core/projection/summary_row.ts";
import {
  needsCounts,
  ORDER_VALUES,
  SESSION_ORDERS,
  sortedBy,
} from "../../../lib/core/store/session_order.ts";

Deno.test("numbers come largest first, texts from A to Z, and unknown values last both ways", () => {
  const numbers = [2, undefined, 3, NaN, 1];
  assert.deepEqual(sortedBy(numbers, (one) => one), [3, 2, 1, undefined, NaN]);
  assert.deepEqual(sortedBy(numbers, (one) => one, true), [1, 2, 3, undefined, NaN]);
  const texts = ["b", undefined, "a"];
  assert.deepEqual(sortedBy(texts, (one) => one), ["a", "b", undefined]);
  assert.deepEqual(sortedBy(texts, (one) => one, true), ["b", "a", undefined]);
});

Deno.test("equal values stay in their order, also reversed", () => {
  const items = [["a", 1], ["b", 1], ["c", 2]] as const;
  const names = (reversed: boolean): string =>
    sortedBy(items, ([, value]) => value, reversed).map(([name]) => name).join("");
  assert.deepEqual([names(false), names(true)], ["cab", "abc"]);
});

Deno.test("an order whose values are unknown until a full read says so", () => {
  const edges = {
    ...{ ref: "r", agent: "pi", session_id: "r", path: "/r", title: "Title", archived: false },
    ...{ created_at: "2026-11-21T10:00:00Z", updated_at: "2026-11-21T11:00:00Z" },
    status: "idle",
  } satisfies Summary;
  for (const order of SESSION_ORDERS) {
    assert.equal(ORDER_VALUES[order](edges) === undefined, needsCounts(order), order);
  }
  assert.ok(!needsCounts(undefined));
});
