import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { portableSha256, sha256 } from "../../../lib/core/event/sha256.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";

Deno.test("sha256 gives what Node gives, with and without the built-in function", () => {
  const random = mulberry32(7);
  for (const length of [0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 1000, 70_000]) {
    const bytes = Uint8Array.from({ length }, () => random() * 256);
    const wanted = createHash("sha256").update(bytes).digest("hex");
    assert.deepEqual([sha256(bytes), portableSha256(bytes)], [wanted, wanted], `${length}`);
  }
});
