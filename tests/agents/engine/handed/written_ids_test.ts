import assert from "node:assert/strict";
import { hexDigits, uuidV7 } from "../../../../lib/agents/engine/handed/written_ids.ts";

Deno.test("a UUID of version 7 begins with its time, and all of them differ", () => {
  const now = Date.UTC(2026, 10, 23);
  const ids = Array.from({ length: 200 }, () => uuidV7(now));
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(Number.parseInt(id.slice(0, 13).replace("-", ""), 16), now);
  }
  assert.ok(uuidV7(now) < uuidV7(now + 1));
});

Deno.test("random digits are as many as were asked for", () => {
  assert.match(hexDigits(24), /^[0-9a-f]{24}$/);
  assert.notEqual(hexDigits(24), hexDigits(24));
});
