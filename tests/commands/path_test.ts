import assert from "node:assert/strict";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { needing, UNIX } from "../_support/needing.ts";

inHome.test("path prints where a session lies, and without a reference the store", async (home) => {
  const kept = home.keep(sessionId("aaaa"), [user("hi")]);
  const [session, folder, store] = await home.runAll([
    ["path", "aaaa"],
    ["path", kept.directory],
    ["path"],
  ]);
  assert.deepEqual(session, { status: 0, stdout: `${kept.path}\n`, stderr: "" });
  assert.deepEqual(folder, session);
  assert.deepEqual(store, { status: 0, stdout: `${home.store}\n`, stderr: "" });
});

Deno.test(
  needing(
    "path prints a path exactly, whatever characters it has, where no terminal reads it",
    UNIX,
  ),
  async () => {
    await using home = new CliHome();
    const { stdout } = await home.run(["path"], {
      env: { REPRISE_HOME: `${home.path}/o\x1bdd é` },
    });
    assert.equal(stdout, `${home.path}/o\x1bdd é\n`);
  },
);
