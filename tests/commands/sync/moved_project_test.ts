/** A shared project whose directory moved. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { inHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";

inHome.test("a moved project is named at each push and by the state, and relink shares it again", async (home) => {
  const run = async (args: readonly string[], cwd = home.path): Promise<string> => {
    const result = await home.run(args, { env: { USER: "ann" }, cwd });
    assert.equal(result.status, 0, result.stderr);
    return result.stdout + result.stderr;
  };
  const [old, moved] = [join(home.path, "old"), join(home.path, "moved")];
  Deno.mkdirSync(old);
  home.keep(sessionId("aaaa1111"), [user("Why zebra?")], { cwd: old });
  const place = join(home.path, "share");
  await run(["sync", "team", place, "--project", "site", "--yes", "--once"], old);
  Deno.renameSync(old, moved);
  home.keep(sessionId("bbbb2222"), [user("And now?")], { cwd: moved });
  const gone =
    /^Not sent: new sessions of site, because the directory \S+old does not exist\. .*relink \S+old NEW\. If not: .*$/m;
  assert.match(await run(["sync", "push"]), gone);
  assert.match(await run(["sync"]), gone);
  assert.match(await run(["relink", old, moved]), /^reprise sync now shares \S+moved instead of/m);
  const pushed = await run(["sync", "push"]);
  // The first session has another path in its copy now.
  assert.match(pushed, /^\d sessions? pushed \(1 new\)/);
  assert.doesNotMatch(pushed, /Not sent/);
  assert.match(await run(["sync"]), /^shared {4}2 sessions$/m);
});

inHome.test("a moved project of one's machines is named at each round, and relink sends it again", async (home) => {
  const run = async (args: readonly string[], cwd: string): Promise<string> => {
    const { stdout, stderr } = await home.succeed(args, { cwd });
    return stdout + stderr;
  };
  const [old, moved] = [join(home.path, "old"), join(home.path, "moved")];
  Deno.mkdirSync(old);
  home.keep(sessionId("aaaa1111"), [user("Why zebra?")], { cwd: old });
  const words = join(home.path, "words");
  await run(["sync", join(home.path, "place"), "--words", words, "--yes", "--once"], old);
  Deno.renameSync(old, moved);
  home.keep(sessionId("bbbb2222"), [user("And now?")], { cwd: moved });
  const gone = /^Not sent: new sessions of old, because the directory \S+old does not exist\. /m;
  assert.match(await run(["sync", "--once"], moved), gone);
  assert.match(await run(["sync"], moved), gone);
  assert.match(await run(["relink", old, moved], moved), /^reprise sync now shares \S+moved/m);
  assert.match(await run(["sync", "--once"], moved), /^Sent 1 session/);
});
