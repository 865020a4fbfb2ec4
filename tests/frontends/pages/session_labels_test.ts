import assert from "node:assert/strict";
import { resumeCommand } from "../../../lib/frontends/pages/session_labels.ts";

Deno.test("the resume command quotes a name that a shell would split or expand", () => {
  assert.equal(resumeCommand("claude:8d1f~agent-1"), "reprise resume claude:8d1f~agent-1");
  assert.equal(resumeCommand("pi:a b"), "reprise resume 'pi:a b'");
  assert.equal(resumeCommand("~ada"), "reprise resume '~ada'");
  assert.equal(resumeCommand("it's"), `reprise resume 'it'\\''s'`);
  assert.equal(resumeCommand("a\nb"), "reprise resume $'a\\012b'");
});
