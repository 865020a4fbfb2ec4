import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { newestFirst } from "../../lib/library/list_entries.ts";
import type { Candidate } from "../../lib/library/listing.ts";

function candidate(id: string, updated: number): Candidate {
  const located = {
    session: { agent: "pi" as const, id, path: id },
    state: { size: 0, mtime: 0, ctime: 0, ino: 0, others: 0, changed: 0 },
  };
  const columns = { cwd: "", archived: false, imported: false };
  return { ...columns, updated, row: () => undefined, located };
}

Deno.test("newestFirst gives the first of all in order, whatever the limit is", () => {
  const moment = fc.oneof(fc.constant(NaN), fc.integer({ min: -2, max: 3 }));
  const property = fc.property(
    fc.array(moment, { maxLength: 12 }),
    fc.integer({ min: 1, max: 14 }),
    (moments, limit) => {
      const candidates = moments.map((updated, index) =>
        candidate(`${index % 7}-${index}`, updated)
      );
      const key = (
        { updated, located }: Candidate,
      ): [number, string] => [
        Number.isNaN(updated) ? -Infinity : updated,
        located?.session.id ?? "",
      ];
      const all = [...candidates].sort((a, b) => {
        const [[one, id], [other, other_id]] = [key(a), key(b)];
        return one === other ? (id < other_id ? -1 : 1) : other > one ? 1 : -1;
      });
      assert.deepEqual(newestFirst(candidates), all);
      assert.deepEqual(newestFirst(candidates, limit), all.slice(0, limit));
    },
  );
  fc.assert(property, { seed: 47 });
});
