import assert from "node:assert/strict";
import {
  hitCursor,
  hitsBehind,
  parseHitCursor,
  type PlacedHit,
  placeInRows,
  rowCursor,
} from "../../../../lib/text/render/page/places.ts";

const OF = { command: "list", query: {} };
const ROWS = [
  { ref: "claude:b", updated_at: "2026-11-21T20:00:00.000Z" },
  { ref: "codex:a~1", updated_at: "2026-11-20T20:00:00.000Z" },
  { ref: "codex:c", updated_at: "2026-11-20T20:00:00.000Z" },
  { ref: "pi:old", updated_at: "1969-01-01T00:00:00.000Z" },
  { ref: "pi:x" },
  { ref: "pi:y" },
];

Deno.test("rows go on behind the one that was last, also where it is gone or was updated", () => {
  for (const [index, row] of ROWS.entries()) {
    const cursor = rowCursor(OF, row);
    assert.equal(placeInRows(OF, cursor, ROWS).row, index + 1);
    const without = ROWS.filter((other) => other !== row);
    assert.equal(placeInRows(OF, cursor, without).row, index, `${row.ref} is gone`);
    const updated = [{ ...row, updated_at: "2026-11-22T00:00:00.000Z" }, ...without];
    assert.equal(placeInRows(OF, cursor, updated).row, index + 1, `${row.ref} is on top`);
  }
  assert.throws(() => placeInRows(OF, rowCursor(OF, { ref: "" }), ROWS), SyntaxError);
  assert.deepEqual(placeInRows(OF, rowCursor(OF, undefined, 40), ROWS), { row: 0, offset: 40 });
});

function hitsOf(refs: string): PlacedHit[] {
  return [...refs].map((ref) => ({ ref, seq: 1, role: "user" }));
}

Deno.test("hits go on behind the one that was last, also where new ones came before it", async () => {
  const of = { command: "search", query: "x" };
  const [, , c] = hitsOf("abc");
  const place = parseHitCursor(of, hitCursor(of, { now: 5, count: 3 }, c as PlacedHit));
  assert.deepEqual([place.now, place.count], [5, 3]);
  const among = async (refs: string): Promise<string | undefined> => {
    const found = await hitsBehind(place, 2, (limit) => {
      return Promise.resolve({ hits: hitsOf(refs).slice(0, limit) });
    });
    return found?.result.hits.slice(found.start).map(({ ref }) => ref).join("");
  };
  assert.equal(await among("abcde"), "de");
  assert.equal((await among("abcdefghijk"))?.slice(0, 2), "de");
  assert.equal((await among("12345678abcdefg"))?.slice(0, 2), "de");
  assert.equal(await among("abc"), "");
  assert.equal(await among("abdefghijklmno"), undefined, "the hit itself is gone");
});
