import assert from "node:assert/strict";
import { jsonLines } from "../_support/cli.ts";
import { inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";

inHome.test("two processes build the index and search it at once", async (home) => {
  for (const prefix of ["aaaa", "bbbb", "cccc"]) {
    home.keep(sessionId(prefix), [user(`The ledger ${prefix}`), assistant("Counted")]);
  }
  const search = ["search", "ledger", "--json"];
  const results = await home.runAll([
    ...[["index", "build"], ["index", "build"], ["index", "build", "--fresh"], search, search],
  ]);
  const built = results.slice(0, 3);
  for (const { status, stderr } of built) {
    if (status === 1) assert.match(stderr, /another process is writing it/);
    else assert.equal(status, 0, stderr);
  }
  assert.ok(built.some(({ status }) => status === 0));
  for (const { stdout } of [...results.slice(3), await home.succeed(search)]) {
    assert.equal(jsonLines(stdout).length, 3);
  }
});
