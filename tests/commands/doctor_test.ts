import assert from "node:assert/strict";
import { join } from "node:path";
import { indexPath } from "../../lib/library/catalogue/cache/search_database.ts";
import { jsonLines } from "../_support/cli.ts";
import { inHome, sessionId, testsAtHome } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { UNIX } from "../_support/needing.ts";

const onUnix = testsAtHome(UNIX);

inHome.test("doctor finds nothing wrong with a store that the program made", async (home) => {
  await home.run(["record"], { stdin: '{"kind":"user_message","payload":{"content":"hi"}}\n' });
  const { status, stdout, stderr } = await home.run(["doctor"]);
  assert.deepEqual([status, stdout], [0, ""]);
  assert.equal(stderr.split("\n")[0], `No problems found: ${home.store}`);
});

inHome.test("doctor finds nothing wrong with an index, nor with what lies in the trash", async (home) => {
  for (const prefix of ["aaaa", "bbbb"]) home.keep(sessionId(prefix), [user("hi")]);
  const made = await home.runInOrder([["index", "build"], ["delete", "aaaa"], ["fork", "bbbb"]]);
  assert.deepEqual(made.map(({ status }) => status), [0, 0, 0]);
  assert.ok(Deno.statSync(indexPath(home.cache)).size > 0);
  const { status, stdout, stderr } = await home.run(["doctor"]);
  assert.deepEqual([status, stdout], [0, ""]);
  assert.equal(stderr.split("\n")[0], `No problems found: ${home.store}`);
});

inHome.test("doctor makes no store, and says that there is none", async (home) => {
  const { status, stdout, stderr } = await home.run(["doctor", "--fix"]);
  assert.deepEqual([status, stdout], [0, ""]);
  assert.equal(stderr, `No store yet: ${home.store}\n`);
  await assert.rejects(Deno.stat(home.store), Deno.errors.NotFound);
});

onUnix.test("doctor names what is wrong, --fix mends what can be mended, and no log is touched", async (home) => {
  const one = home.keep(sessionId("aaaa"), [user("hi")]);
  const two = home.keep(sessionId("bbbb"), [user("hi")]);
  const before = await Deno.readFile(one.path);
  await Deno.chmod(one.path, 0o644);
  await Deno.chmod(one.directory, 0o755);
  await Deno.writeTextFile(join(one.directory, "lock.json"), "{}", { mode: 0o600 });
  await Deno.writeTextFile(join(home.store, "config.json.x.tmp"), "{}", { mode: 0o600 });
  await Deno.writeTextFile(join(home.store, "config.json"), "nonsense", { mode: 0o600 });
  await Deno.symlink("/etc", join(two.directory, "etc"));
  const found = await home.run(["doctor", "--json"]);
  assert.equal(found.status, 1);
  const problems = jsonLines(found.stdout);
  assert.deepEqual(problems.map(({ code, state }) => `${code} ${state}`).sort(), [
    "config look",
    "leftover fixable",
    "leftover fixable",
    "link look",
    "mode fixable",
    "mode fixable",
  ]);
  assert.ok(
    problems.every((problem) => Object.keys(problem).join() === "code,path,detail,state"),
  );
  assert.match(found.stderr, /^6 problems left\. Fix what is fixable: reprise doctor --fix: /);

  const fixed = await home.run(["doctor", "--fix"]);
  assert.equal(fixed.status, 1);
  assert.equal(fixed.stdout.match(/^fixed: /gm)?.length, 4);
  assert.equal(fixed.stdout.match(/^look: /gm)?.length, 2);
  assert.match(fixed.stderr, /^2 problems left, 4 fixed: /);
  assert.equal(((await Deno.stat(one.path)).mode ?? 0) & 0o777, 0o600);
  assert.deepEqual(await Deno.readFile(one.path), before);

  const again = await home.run(["doctor"]);
  assert.equal(again.stdout.trimEnd().split("\n").length, 2);
  assert.match(again.stderr, /^2 problems left/);
});

inHome.test("doctor finds a secret key in the data root, wherever it is but in sessions", async (home) => {
  const key = "# created: now\nAGE-SECRET-KEY-1QQQQQQ\n";
  const { directory } = home.keep(sessionId("aaaa"), [user(`My key is\n${key}`)]);
  Deno.mkdirSync(join(home.store, "mine"), { mode: 0o700 });
  Deno.writeTextFileSync(join(home.store, "mine", "key.txt"), key, { mode: 0o600 });
  Deno.writeTextFileSync(join(directory, "notes"), key, { mode: 0o600 });
  const { status, stdout } = await home.run(["doctor", "--json"]);
  const found = jsonLines(stdout);
  assert.equal(status, 1);
  assert.deepEqual(found.map(({ code, path, state }) => [code, path, state]), [
    ["identity", join(home.store, "mine", "key.txt"), "look"],
  ]);
  assert.ok(!stdout.includes("AGE-SECRET"), stdout);
});
