import assert from "node:assert/strict";
import { join } from "node:path";
import { AGE, runAge } from "../_support/age_program.ts";
import { testsAtHome } from "../_support/cli_home.ts";
import { UNIX } from "../_support/needing.ts";

const onUnix = testsAtHome(UNIX);

testsAtHome(AGE).test(
  "age opens with a key of ours what was encrypted to its recipient",
  async (home) => {
    const { stdout } = await home.run(["key", "new", "--out", "key.txt"]);
    const sealed = await runAge(["-r", stdout.trim()], new Uint8Array([1, 2, 3]));
    const opened = await runAge(["-d", "-i", join(home.work, "key.txt")], sealed);
    assert.deepEqual([...opened], [1, 2, 3]);
  },
);

onUnix.test("key new makes the key and its folder for their owner alone", async (home) => {
  const folder = join(home.path, "config", "reprise");
  const key = join(folder, "key.txt");
  const { stdout } = await home.succeed(["key", "new", "--out", key]);
  assert.match(stdout, /^age1[a-z0-9]{58}\n$/);
  const modes = [key, folder].map((path) => (Deno.statSync(path).mode ?? 0) & 0o777);
  assert.deepEqual(modes, [0o600, 0o700]);
});

onUnix.test("no key is made in the data folder through a link", async (home) => {
  Deno.mkdirSync(home.store);
  Deno.symlinkSync(home.store, join(home.work, "link"));
  assert.equal((await home.run(["key", "new", "--out", join("link", "key.txt")])).status, 2);
  assert.deepEqual([...Deno.readDirSync(home.store)], []);
});
