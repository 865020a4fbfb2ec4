import assert from "node:assert/strict";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { needing, UNIX } from "../_support/needing.ts";

Deno.test(
  needing("the store is where the environment says: REPRISE_HOME, XDG_STATE_HOME, HOME", UNIX),
  async () => {
    await using home = new CliHome();
    const clear = { REPRISE_HOME: undefined };
    const env = { XDG_STATE_HOME: `${home.path}/state` };
    const [own, state, plain, none] = await Promise.all([
      home.run(["path"]),
      home.run(["path"], { env: { ...env, ...clear } }),
      home.run(["path"], { env: clear }),
      home.run(["list"], { env: { ...clear, HOME: undefined } }),
    ]);
    assert.equal(own.stdout, `${home.store}\n`);
    assert.equal(state.stdout, `${home.path}/state/reprise\n`);
    assert.equal(plain.stdout, `${home.path}/.local/state/reprise\n`);
    assert.deepEqual([none.status, none.stdout], [1, ""]);
    assert.match(
      none.stderr,
      /^reprise: Cannot find the session store: set REPRISE_HOME to the store's folder\n$/,
    );
  },
);

inHome.test("a store that is a file is refused by every command, in words", async (home) => {
  await Deno.writeTextFile(home.store, "");
  const lines = ["list", "resume", "config list", "config set session.enabled true", "record"];
  const stdin = '{"kind":"user_message","payload":{"content":"hi"}}\n';
  const results = await home.runAll(lines.map((line) => line.split(" ")), { stdin });
  for (const { status, stderr, stdout } of results) {
    assert.equal(status, 1, stderr + stdout);
    assert.match(stderr + stdout, /Cannot [a-z ]+/);
    assert.ok(!stderr.includes("    at "), stderr);
  }
  assert.equal(await Deno.readTextFile(home.store), "");
});

inHome.test("P6 no command that reads changes anything of a session; it may write the cache", async (home) => {
  home.keep(sessionId("aaaa"), [user("hi"), assistant("there")]);
  const before = await snapshot(home.store);
  const lines = [
    ...["list", "list --all --exact", "list --archived", "show aaaa", "show aaaa --json"],
    ...["resume", "resume aaaa --json", "conversation aaaa", "path aaaa", "doctor aaaa", "doctor"],
    ...["config list", "config get session.enabled", "config path", "stats"],
  ];
  const run = async (more: string[]): Promise<void> => {
    const results = await home.runAll(lines.map((line) => [...line.split(" "), ...more]));
    assert.deepEqual(results.map(({ status }) => status), lines.map(() => 0));
  };
  await run(["--no-cache"]);
  assert.deepEqual(await snapshot(home.store), before);
  assert.equal(before.length, 5);
  await run([]);
  assert.deepEqual(await snapshot(home.store), before);
  for await (const { name, isFile } of Deno.readDir(home.cache)) {
    if (!isFile) continue;
    assert.equal((await Deno.lstat(`${home.cache}/${name}`)).mode ?? 0 & 0o777, 0o100600, name);
  }
});

async function snapshot(path: string): Promise<unknown[]> {
  const { size, mtime, mode, isFile } = await Deno.lstat(path);
  const own = [path, isFile ? size : 0, mtime, mode];
  if (isFile) return [own];
  const inside = await Array.fromAsync(
    Deno.readDir(path),
    ({ name }) => snapshot(`${path}/${name}`),
  );
  return [own, ...inside.flat()];
}

inHome.test("listed names work with show, resume and doctor", async (home) => {
  home.keep(sessionId("3f2a91c0"), [user("first")]);
  home.keep(sessionId("3f2a91c1"), [user("second")]);
  const rows = jsonLines<{ ref: string; title: string }>(
    (await home.run(["list", "--json"])).stdout,
  );
  assert.equal(rows.length, 2);
  for (const { ref, title } of rows) {
    const lines = [["show", ref], ["resume", ref, "--json"], ["conversation", ref]];
    for (const { status, stdout } of await home.runAll(lines)) {
      assert.equal(status, 0);
      assert.ok(stdout.includes(title), ref);
    }
  }
  const table = (await home.run(["list"])).stdout.trimEnd().split("\n").slice(1);
  for (const line of table) {
    const [id = "", ...words] = line.split(/\s+/);
    assert.ok((await home.run(["show", id])).stdout.includes(words.at(-1) ?? ""), line);
  }
});
