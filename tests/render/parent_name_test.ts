import assert from "node:assert/strict";
import { parentName } from "../../lib/render/parent_name.ts";

Deno.test("a fork names the event of its parent; a merge, whose number is its own, names none", () => {
  assert.equal(parentName({ session_id: "a1", seq: 7, reason: "fork" }), "a1#7");
  assert.equal(parentName({ session_id: "a1", seq: 7, reason: "merge" }), "a1");
  assert.equal(parentName({ session_id: "a1", reason: "compact" }), "a1");
});
