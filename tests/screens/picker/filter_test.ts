import assert from "node:assert/strict";
import { parseFilter } from "../../../lib/screens/picker/filter.ts";
import type { Summary } from "../../../lib/projection/summary_row.ts";

const ROW: Summary = {
  ...{ ref: "a", agent: "claude", session_id: "a", path: "/p", title: "t", archived: false },
  ...{ status: "idle", cwd: "/home/ana/api-gateway", git_branch: "fix/login", tags: ["Bug"] },
};

Deno.test("parseFilter reads agent:, branch:, tag: and project:, and leaves the words", () => {
  const { text, words } = parseFilter('  agent:claude "Fix it"  TAG:bug http://x ');
  assert.deepEqual([text, ...words], ['"Fix it" http://x', '"fix', 'it"', "http://x"]);
  const held = "agent:cl|Agent:Claude|branch:login|tag:bug|tag:|project:api|project:ana/api|login";
  // A project's name is that of its directory: each is below the home directory.
  const missed = "agent:pi|branch:main|tag:bugs|project:ana|tag:bug agent:pi";
  for (const one of held.split("|")) assert.ok(parseFilter(one).admits(ROW), one);
  for (const one of missed.split("|")) assert.ok(!parseFilter(one).admits(ROW), one);
});
