import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { eventually } from "../_support/eventually.ts";
import { user } from "../_support/log_bytes.ts";

const MEGABYTE = 1_000_000;

const LONG_ID = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

/** Writes a session of Claude Code of so many megabytes, most of them in records that say nothing. */
function writeLong(path: string, megabytes: number): void {
  const side = `${
    JSON.stringify({ type: "mode", mode: "-".repeat(MEGABYTE), sessionId: LONG_ID })
  }\n`;
  const said = JSON.stringify({
    ...{ type: "user", uuid: "u1", parentUuid: null, timestamp: "2026-11-20T10:00:00.000Z" },
    ...{ sessionId: LONG_ID, version: "2.1.330", cwd: "/work/ledger", isSidechain: false },
    message: { role: "user", content: "Where is the ledger?" },
  });
  using file = Deno.openSync(path, { write: true, createNew: true });
  const write = (text: string): void => {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  };
  write(`${said}\n`);
  for (let count = 0; count < megabytes; count++) write(side);
}

/** Keeps a session of Claude Code that is long enough to be worth an index. */
function keepLong(home: CliHome): void {
  const folder = join(home.path, ".claude", "projects", "-work-ledger");
  Deno.mkdirSync(folder, { recursive: true });
  writeLong(join(folder, `${LONG_ID}.jsonl`), 201);
}

function refsIn(stdout: string): unknown[] {
  return jsonLines(stdout).map(({ ref }) => ref);
}

async function stateOf(home: CliHome): Promise<string> {
  const { stdout } = await home.run(["index", "status", "--json"]);
  return String(JSON.parse(stdout).state);
}

Deno.test("a search that read much has the index built by a process of its own, where it may, and says so once", async () => {
  await using home = new CliHome();
  home.keep(sessionId("aaaa"), [user("Count the ledger")]);
  keepLong(home);
  const search = ["search", "ledger", "--all", "--json"];
  const uncached = await home.run([...search, "--no-cache"], { process: true });
  const short = await home.run([...search, "--agent", "reprise"], { process: true });
  assert.equal((await home.run(["config", "set", "search.auto_index", "false"])).status, 0);
  const off = await home.run(search, { process: true });
  assert.deepEqual([uncached.stderr, short.stderr, off.stderr], ["", "", ""]);
  assert.equal(await stateOf(home), "absent");
  assert.equal((await home.run(["config", "set", "search.auto_index", "true"])).status, 0);
  const first = await home.run(search, { process: true });
  assert.equal(first.status, 0, first.stderr);
  assert.match(
    first.stderr,
    /^Indexing all sessions in the background.*search\.auto_index false\n$/,
  );
  await eventually(async () => await stateOf(home) === "current");
  const again = await home.run(search, { process: true });
  assert.equal(again.stderr, "");
  assert.deepEqual(refsIn(again.stdout), refsIn(first.stdout));
  assert.equal(refsIn(first.stdout).length, 2);
});

Deno.test("the index is built in the cache folder where there is no store", async () => {
  await using home = new CliHome();
  keepLong(home);
  const search = ["search", "ledger", "--all", "--json"];
  const first = await home.run(search, { process: true });
  assert.match(first.stderr, /^Indexing all sessions in the background/);
  await eventually(async () => await stateOf(home) === "current");
  const again = await home.run(search, { process: true });
  assert.deepEqual([again.stderr, refsIn(again.stdout)], ["", refsIn(first.stdout)]);
  assert.equal(refsIn(first.stdout).length, 1);
  assert.throws(() => Deno.statSync(home.store), Deno.errors.NotFound);
});
