import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { inHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";

inHome.test("sync init that is refused makes no store", async (home) => {
  const [one, two] = [join(home.path, "one"), join(home.path, "two")];
  assert.equal((await home.run(["sync", "init", one])).status, 0);
  const added = await home.run(["sync", "add", "--project", "site", "--exact", "--yes"]);
  assert.equal(added.status, 0);
  const refused = await home.run(["sync", "init", two]);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /^reprise: Cannot use another store: .*first remove each project/);
  assert.equal(existsSync(two), false);
  Deno.removeSync(join(home.store, "sync.json"));
  Deno.writeTextFileSync(join(home.store, "sync.key"), "no key");
  assert.match((await home.run(["sync", "init", two])).stderr, /the file contains no key/);
  assert.equal(existsSync(two), false);
});

inHome.test("a push does not count sessions that were withdrawn", async (home) => {
  home.keep(sessionId("aaaa1111"), [user("Why zebra?")]);
  home.keep(sessionId("bbbb2222"), [user("And now?")]);
  await home.run(["sync", "init", join(home.path, "share")]);
  await home.run(["sync", "add", "--project", "site", "--exact", "--yes"]);
  await home.run(["sync", "push"]);
  assert.equal((await home.run(["sync", "withdraw", "aaaa"])).status, 0);
  assert.equal((await home.run(["sync", "push"])).stderr, "Nothing new: 1 session shared\n");
  assert.match((await home.run(["sync", "status"])).stdout, /^shared {4}1 session$/m);
});
