import assert from "node:assert/strict";
import { join } from "node:path";
import { openSealedBytes } from "../../lib/text/seal/open_sealed.ts";
import { readIdentityFile } from "../../lib/text/seal/identity_file.ts";
import { AGE, runAge } from "../_support/age_program.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { needing } from "../_support/needing.ts";

inHome.test("key new makes a key for its owner alone, and prints the recipient", async (home) => {
  const { stdout, stderr } = await home.succeed(["key", "new", "--out", "key.txt"]);
  assert.match(stdout, /^age1[a-z0-9]{58}\n$/);
  assert.equal(
    stderr,
    "Wrote key.txt: keep a copy elsewhere. Without the key, encrypted files are lost\n",
  );
  const path = join(home.work, "key.txt");
  if (Deno.build.os !== "windows") assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  const shown = await home.run(["key", "show", "key.txt"]);
  assert.deepEqual([shown.status, shown.stdout, shown.stderr], [0, stdout, ""]);
  const before = Deno.readTextFileSync(path);
  const again = await home.run(["key", "new", "--out", "key.txt"]);
  assert.deepEqual([again.status, again.stdout], [1, ""]);
  assert.match(
    again.stderr,
    /Cannot write identity \(private key\): a file with this name already exists/,
  );
  assert.equal(Deno.readTextFileSync(path), before);
});

inHome.test("a key opens what is exported to it, also one that resists quantum computers", async (home) => {
  const { path } = home.keep(sessionId("aaaa"), [user("hi")]);
  for (const more of [[], ["--post-quantum"]]) {
    const key = join(home.work, `key${more.length}`);
    const { stdout } = await home.run(["key", "new", "--out", key, ...more]);
    const out = join(home.work, `${more.length}.age`);
    const encrypt = ["export", "aaaa", "--encrypt", stdout.trim(), "--out", out];
    assert.equal((await home.run(encrypt)).status, 0);
    const identities = await readIdentityFile(key);
    const opened = await openSealedBytes(Deno.readFileSync(out), { identities });
    assert.deepEqual(opened, Deno.readFileSync(path));
    assert.equal((await home.run(["doctor", out, "--identity", key])).status, 0);
  }
});

Deno.test({
  ...needing("age opens with a key of ours what was encrypted to its recipient", AGE),
  fn: async () => {
    await using home = new CliHome();
    const { stdout } = await home.run(["key", "new", "--out", "key.txt"]);
    const sealed = await runAge(["-r", stdout.trim()], new Uint8Array([1, 2, 3]));
    const opened = await runAge(["-d", "-i", join(home.work, "key.txt")], sealed);
    assert.deepEqual([...opened], [1, 2, 3]);
  },
});

inHome.test("no key is made in the data root, by no way there", async (home) => {
  home.keep(sessionId("aaaa"), [user("hi")]);
  const link = join(home.work, "elsewhere");
  if (Deno.build.os !== "windows") Deno.symlinkSync(home.store, link);
  for (const folder of [home.store, join(home.store, "sessions"), join(home.work, "..", "store")]) {
    const out = join(folder, "key.txt");
    const { status, stdout, stderr } = await home.run(["key", "new", "--out", out]);
    assert.deepEqual([status, stdout], [2, ""], out);
    assert.match(stderr, /keep keys out of the data folder, because backups would copy them/);
  }
  if (Deno.build.os !== "windows") {
    const linked = await home.run(["key", "new", "--out", join(link, "key.txt")]);
    assert.equal(linked.status, 2);
  }
  assert.deepEqual([...Deno.readDirSync(home.store)].map(({ name }) => name), ["sessions"]);
});

inHome.test("key new makes the folder of the key, for its owner alone", async (home) => {
  const folder = join(home.path, "config", "reprise");
  await home.succeed(["key", "new", "--out", join(folder, "key.txt")]);
  if (Deno.build.os !== "windows") assert.equal((Deno.statSync(folder).mode ?? 0) & 0o777, 0o700);
});

inHome.test("refuses an invalid key without repeating it", async (home) => {
  Deno.writeTextFileSync(join(home.work, "notes"), "secret words\n", { mode: 0o600 });
  const results = await home.runInOrder([
    ["key", "show", "notes"],
    ["key", "show", "nowhere"],
    ["key", "new"],
    ["key", "new", "--out", "notes/key"],
  ]);
  assert.deepEqual(results.map(({ status }) => status), [1, 1, 2, 1]);
  for (const { stderr } of results) assert.ok(!stderr.includes("secret words"), stderr);
});
