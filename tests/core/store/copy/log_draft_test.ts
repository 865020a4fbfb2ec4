import assert from "node:assert/strict";
import {
  draftName,
  finalName,
  goneName,
  isDraftName,
} from "../../../../lib/core/store/copy/log_draft.ts";
import { folderName } from "../../../../lib/core/store/session_id.ts";

Deno.test("a draft is known by its name, on its way in and out, and so is what it was to be", () => {
  const name = folderName(new Date(0), "3f6a2b91-0d4c-4f7e-8a15-6c2d9e7b0a48");
  const draft = draftName(name);
  assert.ok(!isDraftName(name));
  for (const one of [draft, goneName(draft)]) {
    assert.ok(isDraftName(one));
    assert.equal(finalName(one), name);
  }
  assert.equal(finalName(name), name);
  // A removal that is stopped again and again adds nothing more to it.
  assert.equal(goneName(goneName(draft)), goneName(draft));
});
