import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { needing, UNIX } from "../_support/needing.ts";

async function titles(home: CliHome, cwd: string): Promise<unknown[]> {
  const { stdout } = await home.run(["list", "--json", "--cwd", cwd]);
  return jsonLines(stdout).map(({ title }) => title);
}

inHome.test("relink makes a moved project's sessions belong to where it is now", async (home) => {
  const old = join(home.path, "old");
  const now = join(home.path, "now");
  const before = home.keep(sessionId("aaaa"), [user("in the project")], { cwd: old });
  home.keep(sessionId("bbbb"), [user("below it")], { cwd: join(old, "sub") });
  Deno.mkdirSync(join(now, "sub"), { recursive: true });
  const log = await Deno.readFile(before.path);
  const { status, stdout, stderr } = await home.run(["relink", "../old", "../now"]);
  assert.deepEqual([status, stdout], [0, ""]);
  assert.match(stderr, /^Sessions from .*old are now listed under .*now: 2 sessions\n/);
  assert.deepEqual((await titles(home, now)).sort(), ["below it", "in the project"]);
  assert.deepEqual(await titles(home, join(now, "sub")), ["below it"]);
  assert.deepEqual(await titles(home, old), []);
  const resumed = await home.run(["resume"], { cwd: join(now, "sub") });
  assert.equal(resumed.status, 0, resumed.stderr);
  assert.match(resumed.stdout, /chat --resume bbbb0000/);
  assert.ok(resumed.stdout.startsWith(`cd ${join(now, "sub")} && `));
  assert.equal((await home.run(["show", "aaaa"], { cwd: now })).status, 0);
  assert.deepEqual(await Deno.readFile(before.path), log);
});

inHome.test("relinks are followed on and on, listed, and taken back", async (home) => {
  const [one, two, three] = ["one", "two", "three"].map((name) => join(home.path, name));
  home.keep(sessionId("aaaa"), [user("well travelled")], { cwd: one ?? "" });
  const run = async (...args: (string | undefined)[]): Promise<string> => {
    const { stdout } = await home.succeed(args.map((arg) => arg ?? ""));
    return stdout;
  };
  await run("relink", one, two, "--force");
  await run("relink", two, three, "--force");
  assert.deepEqual(await titles(home, three ?? ""), ["well travelled"]);
  assert.equal(await run("relink", "--list"), `${one} -> ${two}\n${two} -> ${three}\n`);
  assert.deepEqual(jsonLines(await run("relink", "--json")).map(({ from, to }) => [from, to]), [
    [one, two],
    [two, three],
  ]);
  await run("relink", "--undo", two);
  assert.deepEqual(await titles(home, two ?? ""), ["well travelled"]);
  await run("relink", "--undo", one);
  assert.deepEqual(await titles(home, one ?? ""), ["well travelled"]);
  assert.equal(
    (await home.run(["relink", "--list"])).stderr,
    "No moves of directories are recorded\n",
  );
});

inHome.test("moved back, a project has its sessions again", async (home) => {
  home.keep(sessionId("aaaa"), [user("there and back")], { cwd: home.work });
  const away = join(home.path, "away");
  await home.run(["relink", home.work, away, "--force"]);
  assert.deepEqual(await titles(home, home.work), []);
  await home.run(["relink", away, home.work]);
  assert.deepEqual(await titles(home, home.work), ["there and back"]);
});

Deno.test(
  needing("a link that was left in the old place leads to the same sessions", UNIX),
  async () => {
    await using home = new CliHome();
    const now = join(home.path, "now");
    home.keep(sessionId("aaaa"), [user("behind the link")], { cwd: home.work });
    Deno.renameSync(home.work, now);
    Deno.symlinkSync(now, home.work);
    await home.succeed(["relink", home.work, now]);
    assert.deepEqual(await titles(home, now), ["behind the link"]);
    assert.deepEqual(await titles(home, home.work), ["behind the link"]);
  },
);
