import assert from "node:assert/strict";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";

async function listed(home: CliHome, ...flags: string[]): Promise<string[]> {
  const { stdout } = await home.run(["list", ...flags]);
  return [...stdout.matchAll(/^[a-f]{4}/gm)].map(([id]) => id);
}

inHome.test("archive puts sessions away, and --undo takes them back", async (home) => {
  home.keep(sessionId("aaaa"), [user("one")]);
  home.keep(sessionId("bbbb"), [user("two")]);
  home.keep(sessionId("cccc"), [user("three")]);
  const away = await home.run(["archive", "aaaa", "bbbb", "aaaa"]);
  assert.deepEqual(away, {
    status: 0,
    stdout: "",
    stderr: "Archived aaaa0000\nArchived bbbb0000\n",
  });
  assert.deepEqual(await listed(home), ["cccc"]);
  assert.deepEqual((await listed(home, "--archived")).sort(), ["aaaa", "bbbb"]);
  const back = await home.run(["archive", "--undo", "aaaa"]);
  assert.deepEqual(back, { status: 0, stdout: "", stderr: "Unarchived aaaa0000\n" });
  assert.deepEqual((await listed(home)).sort(), ["aaaa", "cccc"]);
  assert.match((await home.run(["show", "bbbb"])).stdout, /two/);
});

inHome.test("one wrong reference, and nothing is archived", async (home) => {
  home.keep(sessionId("aaaa"), [user("one")]);
  const { status, stderr } = await home.run(["archive", "aaaa", "zzzz"]);
  assert.equal(status, 1);
  assert.match(stderr, /^reprise: Cannot find session "zzzz"/);
  assert.deepEqual(await listed(home), ["aaaa"]);
});

inHome.test("a session that is being written is archived beside its log", async (home) => {
  const recording = home.talk(["record"]);
  await recording.write('{"kind":"user_message","payload":{"content":"hi"}}\n');
  const { session_id = "" } = JSON.parse(await recording.line() ?? "{}");
  assert.equal((await home.run(["archive", session_id])).status, 0);
  assert.equal((await home.run(["list"])).stdout, "");
  assert.match((await home.run(["list", "--archived"])).stdout, /running/);
  await recording.endInput();
  await recording.end();
});
