import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { newestFirst } from "../../lib/session/selection.ts";

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
