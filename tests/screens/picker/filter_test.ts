import assert from "node:assert/strict";
import { parseFilter } from "../../../lib/screens/picker/filter.ts";
import type { Summary } from "../../../lib/projection/summary_row.ts";

const ROW: Summary = {
  ...{ ref: "a", agent: "claude", session_id: "a", path: "/p", title: "t", archived: false },
  ...{ status: "idle", cwd: "/home/ana/api-gateway", git_branch: "fix/login", tags: ["Bug"] },
};

Deno.test("parseFilter reads agent:, branch:, tag: and project:, and leaves the words", () => {
  const { text, words } = parseFilter('  agent:claude "Fix it"  TAG:bug login http://x ');
  assert.equal(text, '"Fix it" login http://x');
  assert.deepEqual(words, ['"fix', 'it"', "login", "http://x"]);
  const admits = (query: string): boolean => parseFilter(query).admits(ROW);
  for (
    const query of [
      ...[
        "",
        "login",
        "agent:cl",
        "Agent:Claude",
        "branch:login",
        "tag:bug",
        "tag:",
        "project:api",
      ],
      ...["project:ana/api", "agent:claude branch:fix tag:bug project:gateway"],
    ]
  ) assert.ok(admits(query), query);
  // A name is that of the directory: each is below the home directory.
  for (const query of ["agent:pi", "branch:main", "tag:bugs", "project:ana", "tag:bug agent:pi"]) {
    assert.ok(!admits(query), query);
  }
});
