import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { shellLine, TERMINAL, Terminal } from "./_terminal.ts";
import { needing } from "../_support/needing.ts";

async function removeTwo(home: CliHome): Promise<void> {
  home.keep(sessionId("aaaa"), [user("one")]);
  home.keep(sessionId("bbbb"), [user("two")]);
  assert.equal((await home.run(["delete", "aaaa", "bbbb"])).status, 0);
}

inHome.test("trash empty without a terminal deletes only with --yes", async (home) => {
  await removeTwo(home);
  const before = snapshot(join(home.store, "trash"));
  const asked = await home.run(["trash", "empty"]);
  assert.equal(asked.status, 2);
  assert.match(
    asked.stderr,
    /^reprise: Cannot ask: this is not a terminal\. Give --yes/,
  );
  const [dry, none] = await home.runAll([
    ["trash", "empty", "--dry-run"],
    ["trash", "empty", "--older-than", "1d", "--yes"],
  ]);
  const future = await home.run(["trash", "empty", "--older-than", "2999-01-01", "--yes"]);
  assert.equal(future.status, 2);
  assert.match(future.stderr, /in the future/);
  assert.match(dry?.stdout ?? "", /aaaa0000/);
  assert.match(dry?.stderr ?? "", /^Would delete 2 sessions, \d+ B\n$/);
  assert.equal(none?.stderr, "Nothing in the trash to delete\n");
  assert.deepEqual(snapshot(join(home.store, "trash")), before);
  const { status, stdout, stderr } = await home.run(["trash", "empty", "--yes"]);
  assert.deepEqual([status, stdout], [0, ""]);
  assert.match(stderr, /^Deleted 2 sessions, \d+ B\n$/);
  assert.deepEqual([...Deno.readDirSync(join(home.store, "trash"))].map(({ name }) => name), [
    "tombstones.jsonl",
  ]);
  assert.equal((await home.run(["trash", "restore", "aaaa"])).status, 1);
});

inHome.test("hostile titles reach a terminal harmless, and a program exact", async (home) => {
  const title = "evil \u001b]0;x\u0007\u202e";
  home.keep(sessionId("aaaa"), [user("hi")], { title });
  await home.run(["delete", "aaaa"]);
  const [text, dry, json] = await home.runAll([
    ["trash", "list"],
    ["trash", "empty", "--dry-run"],
    ["trash", "list", "--json"],
  ]);
  for (const { stdout } of [text, dry].filter((result) => result !== undefined)) {
    assert.match(stdout, /evil/);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(stdout, /[\u001b\u0007\u202e]/);
  }
  assert.equal(jsonLines(json?.stdout ?? "")[0]?.title, title);
});

// Slow: a program in a terminal is answered key by key.
Deno.test(
  needing("trash empty asks on a terminal: no leaves all, yes deletes", TERMINAL),
  async () => {
    await using home = new CliHome();
    await removeTwo(home);
    const empty = shellLine(["trash", "empty"]);
    const script = `${empty}; echo "first $?"\n${empty}; echo "second $?"`;
    await using terminal = await Terminal.open(home, script, { columns: 100 });
    await terminal.until(/Delete 2 sessions, \d+ B, for good\? \[y\/N\]/);
    await terminal.press("n", "Enter");
    await terminal.until(/Nothing was deleted\s+first 130/);
    assert.equal(jsonLines((await home.run(["trash", "list", "--json"])).stdout).length, 2);
    await terminal.press("y", "Enter");
    await terminal.until(/Deleted 2 sessions, \d+ B\s+second 0/);
    assert.equal((await home.run(["trash", "list"])).stderr, "The trash is empty\n");
  },
);
