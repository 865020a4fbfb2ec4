import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { isSelected, newestFirst, type Selection } from "../../../lib/core/store/selection.ts";

Deno.test("newestFirst gives the first of all in order, whatever the limit is", () => {
  const moment = fc.oneof(fc.constant(NaN), fc.integer({ min: -2, max: 3 }));
  const property = fc.property(
    fc.array(moment, { maxLength: 12 }),
    fc.integer({ min: 1, max: 14 }),
    (moments, limit) => {
      const sessions = moments.map((updated, index) => ({ id: `${index % 7}-${index}`, updated }));
      const all = [...sessions].sort((a, b) => {
        const [one, other] = [a, b].map(({ updated }) =>
          Number.isNaN(updated) ? -Infinity : updated
        ) as [number, number];
        return one === other ? (a.id < b.id ? -1 : 1) : other > one ? 1 : -1;
      });
      assert.deepEqual(newestFirst(sessions, ({ id }) => id), all);
      assert.deepEqual(newestFirst(sessions, ({ id }) => id, limit), all.slice(0, limit));
    },
  );
  fc.assert(property, { seed: 47 });
});

Deno.test("a stretch of time takes both of its ends, and on request sessions without a time", () => {
  const [since, until] = [new Date(100), new Date(200)];
  const taken = (selection: Selection): number[] =>
    [99, 100, 150, 200, 201, NaN].filter((updated) =>
      isSelected({ updated, archived: false }, selection)
    );
  assert.deepEqual(taken({ since, until }), [100, 150, 200]);
  assert.deepEqual(taken({ until }), [99, 100, 150, 200]);
  assert.deepEqual(taken({ since, undated: true }), [100, 150, 200, 201, NaN]);
  assert.deepEqual(taken({}).length, 6);
});
