import assert from "node:assert/strict";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, logOf, user } from "../_support/log_bytes.ts";

function fill(home: CliHome): string[] {
  return ["aaaa", "bbbb", "cccc"].map((prefix) =>
    home.keep(sessionId(prefix), [user(`The ledger ${prefix}`), assistant("Counted")]).path
  );
}

async function refsOf(home: CliHome, query: string): Promise<unknown[]> {
  const { stdout } = await home.succeed(["search", query, "--json"]);
  return jsonLines(stdout).map(({ ref }) => ref).sort();
}

inHome.test("index builds, tells its status and goes; searches find the same", async (home) => {
  fill(home);
  const all = [sessionId("aaaa"), sessionId("bbbb"), sessionId("cccc")];
  assert.deepEqual(await refsOf(home, "ledger"), all);
  assert.match((await home.run(["index", "status"])).stdout, /^There is no index/);
  const built = await home.run(["index", "build"]);
  assert.equal(built.status, 0, built.stderr);
  assert.match(built.stdout, /^The index is up to date\nsessions {2}3 of 3\ntexts {5}6\n/);
  assert.match(built.stderr, /^Read \d/);
  assert.deepEqual(await refsOf(home, "ledger"), all);
  assert.equal((await home.run(["index", "drop"])).stderr, "The index is removed\n");
  assert.equal((await home.run(["index", "drop"])).stderr, "There is no index\n");
  assert.deepEqual(await refsOf(home, "ledger"), all);
});

inHome.test("index status says how far the index is behind", async (home) => {
  const [path = ""] = fill(home);
  await home.run(["index", "build"]);
  const line = logOf([user("a zebra")], 4);
  await Deno.writeFile(path, line, { append: true });
  const { stdout } = await home.run(["index", "status", "--json"]);
  const [{ state, behind_sessions, behind_bytes } = {}] = jsonLines(stdout);
  assert.deepEqual({ state, behind_sessions, behind_bytes }, {
    ...{ state: "behind", behind_sessions: 1, behind_bytes: line.length },
  });
  assert.deepEqual(await refsOf(home, "zebra"), [sessionId("aaaa")]);
  assert.equal(
    jsonLines((await home.run(["index", "status", "--json"])).stdout)[0]?.state,
    "current",
  );
});

inHome.test("two processes build the index and search it at once", async (home) => {
  fill(home);
  const results = await home.runAll([
    ...[["index", "build"], ["index", "build"], ["index", "build", "--fresh"]],
    ...[["search", "ledger", "--json"], ["search", "ledger", "--json"]],
  ]);
  for (const { status, stderr } of results.slice(0, 3)) {
    if (status === 1) assert.match(stderr, /another process is writing it/);
    else assert.equal(status, 0, stderr);
  }
  assert.ok(results.slice(0, 3).some(({ status }) => status === 0));
  for (const { stdout } of results.slice(3)) assert.equal(jsonLines(stdout).length, 3);
  assert.equal((await refsOf(home, "ledger")).length, 3);
});
