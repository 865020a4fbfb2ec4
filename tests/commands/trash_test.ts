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

inHome.test("delete says how to restore, and as JSON what became of each session", async (home) => {
  home.keep(sessionId("aaaa"), [user("one")]);
  home.keep(sessionId("bbbb"), [user("two")]);
  const told = await home.run(["delete", "aaaa"]);
  assert.match(told.stderr, /\nRestore: reprise trash restore aaaa0000\n$/);
  const { status, stdout, stderr } = await home.run(["delete", "--json", "bbbb"]);
  assert.deepEqual([status, stderr], [0, ""]);
  const [tombstone] = jsonLines(stdout);
  assert.deepEqual([tombstone?.session_id, tombstone?.title, tombstone?.reason], [
    sessionId("bbbb"),
    "two",
    "deleted",
  ]);
});

inHome.test("trash list shows what was removed, the last first", async (home) => {
  assert.deepEqual(await home.run(["trash", "list"]), {
    status: 0,
    stdout: "",
    stderr: "The trash is empty\n",
  });
  await removeTwo(home);
  const [text, json] = await home.runAll([["trash", "list"], ["trash", "list", "--json"]]);
  assert.match(
    text?.stdout ?? "",
    /^id +removed +size +state +title\nbbbb0000 .* B +whole +two\naaaa0000 .* B +whole +one\n$/,
  );
  assert.match(text?.stderr ?? "", /^2 sessions, \d+ B, in the trash\n$/);
  const entries = jsonLines(json?.stdout ?? "");
  assert.deepEqual(entries.map(({ session_id, state }) => [session_id, state]), [
    [sessionId("bbbb"), "whole"],
    [sessionId("aaaa"), "whole"],
  ]);
});

inHome.test("trash restore moves sessions back; one wrong reference, and none is", async (home) => {
  await removeTwo(home);
  const wrong = await home.run(["trash", "restore", "aaaa", "zzzz"]);
  assert.equal(wrong.status, 1);
  assert.match(
    wrong.stderr,
    /^reprise: Cannot find session "zzzz" in the trash; to list the trash: reprise trash list\n$/,
  );
  assert.equal((await home.run(["list"])).stdout, "");
  const { stderr } = await home.succeed(["trash", "restore", "aaaa", "bbbb", "aaaa"]);
  assert.match(stderr, /^Restored aaaa0000 to .*\nRestored bbbb0000 to .*\n$/);
  const rows = jsonLines((await home.run(["list", "--json"])).stdout);
  assert.deepEqual(rows.map(({ title }) => title).sort(), ["one", "two"]);
  await home.run(["delete", "aaaa"]);
  const [restored] = jsonLines((await home.run(["trash", "restore", "aaaa", "--json"])).stdout);
  assert.deepEqual([restored?.session_id, restored?.title], [sessionId("aaaa"), "one"]);
});

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
