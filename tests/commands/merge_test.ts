import assert from "node:assert/strict";
import { jsonLines } from "../_support/cli.ts";
import { inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";

inHome.test("merge --json is one object; directories that differ are told", async (home) => {
  home.keep(sessionId("aaaa"), [user("a")]);
  home.keep(sessionId("bbbb"), [user("b")], { cwd: home.path });
  const args = ["merge", "bbbb", "aaaa", "--json", "--title", "Both"];
  const { stdout, stderr } = await home.run(args);
  assert.match(stderr, /^The sessions are from 2 directories; the new session is in one of them$/m);
  const [made] = jsonLines(stdout);
  assert.deepEqual(made?.merged, [
    { session_id: sessionId("bbbb"), events: 2 },
    { session_id: sessionId("aaaa"), events: 2 },
  ]);
  const [row] = jsonLines((await home.run(["list", "--cwd", "..", "--json"])).stdout);
  assert.deepEqual([row?.session_id, row?.title], [made?.session_id, "Both"]);
});
