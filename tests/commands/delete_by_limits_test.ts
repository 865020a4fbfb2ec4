import assert from "node:assert/strict";
import { join } from "node:path";
import type { PruneReport } from "../../lib/core/store/trash/prune_sessions.ts";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { keepPiSession } from "./_pi_session.ts";

/** Puts a session of so many days ago into the store. */
function keepOld(home: CliHome, prefix: string, days: number, cwd = home.work): string {
  const created = new Date(Date.now() - days * 86_400_000);
  return home.keep(sessionId(prefix), [user(`${prefix} says`)], { created, cwd }).directory;
}

inHome.test("delete without a session and a limit is a usage error that says what to give", async (home) => {
  const directory = keepOld(home, "aaaa", 400);
  const wrong = [["delete"], ["delete", "--cwd", "."], ["delete", "aaaa", "--max-size", "1B"]];
  for (const { status, stdout, stderr } of await home.runAll(wrong)) {
    assert.deepEqual([status, stdout], [2, ""]);
    assert.match(
      stderr,
      /Name sessions .*, or give --older-than, --max-size or --over-limits/,
    );
  }
  const { status, stdout, stderr } = await home.run(["delete", "--over-limits"]);
  assert.deepEqual([status, stdout], [2, ""]);
  assert.match(stderr, /config set session\.retention_days 30\n/);
  assert.match(stderr, /config set session\.max_storage_mb 500\n/);
  assert.ok(Deno.statSync(directory).isDirectory);
});

inHome.test("delete --older-than moves old sessions to the trash and says how to get them back", async (home) => {
  keepOld(home, "aaaa", 40);
  keepOld(home, "bbbb", 50, home.path);
  keepOld(home, "cccc", 2);
  const { status, stdout, stderr } = await home.run(["delete", "--older-than", "30d"]);
  assert.deepEqual([status, stdout], [0, ""]);
  assert.match(stderr, /^Moved 2 sessions, \d+ B, to the trash; \d+ B kept\n/);
  assert.match(
    stderr,
    /Restore: reprise trash restore bbbb0000\. To free the space: reprise trash empty\n$/,
  );
  const left = jsonLines((await home.run(["list", "--all", "--json"])).stdout);
  assert.deepEqual(left.map(({ ref }) => ref), [sessionId("cccc")]);
  assert.equal((await home.run(["trash", "restore", "bbbb"])).status, 0);
  const again = await home.run(["delete", "--older-than", "60d"]);
  assert.match(again.stderr, /^Nothing to move to the trash; \d+ B kept\n$/);
});

inHome.test("delete --dry-run shows what would move, and changes nothing", async (home) => {
  keepOld(home, "aaaa", 40);
  keepOld(home, "bbbb", 2);
  const before = snapshot(home.store);
  const [text, json] = await home.runAll([
    ["delete", "--older-than", "30d", "--max-size", "10B", "--dry-run"],
    ["delete", "--older-than", "30d", "--dry-run", "--json"],
  ]);
  assert.match(text?.stdout ?? "", /^id +updated +size +over +title\naaaa0000 .* age +aaaa says\n/);
  assert.match(text?.stdout ?? "", /\nbbbb0000 .* size +bbbb says\n$/);
  assert.match(
    text?.stderr ?? "",
    /^Would move 2 sessions, \d+ B, to the trash; 0 B would be kept\n$/,
  );
  const report = JSON.parse(json?.stdout ?? "") as PruneReport & { dry_run: boolean };
  assert.equal(report.dry_run, true);
  assert.deepEqual(report.sessions.map(({ title, limit }) => [title, limit]), [
    ["aaaa says", "age"],
  ]);
  assert.deepEqual(snapshot(home.store), before);
});

inHome.test("delete --over-limits keeps to the settings' limits", async (home) => {
  keepOld(home, "aaaa", 40);
  keepOld(home, "bbbb", 20);
  await home.run(["config", "set", "session.retention_days", "30"]);
  assert.match((await home.run(["delete", "--over-limits"])).stderr, /^Moved 1 session, /);
  await home.run(["config", "unset", "session.retention_days"]);
  await home.run(["config", "set", "session.max_storage_mb", "0.0001"]);
  assert.match(
    (await home.run(["delete", "--over-limits"])).stderr,
    /^Moved 1 session, .* 0 B kept\n/,
  );
});

inHome.test("delete --cwd is about one directory", async (home) => {
  const here = keepOld(home, "aaaa", 40);
  const there = keepOld(home, "bbbb", 40, home.path);
  await home.run(["delete", "--older-than", "30d", "--cwd", "."]);
  await assert.rejects(Deno.stat(here), Deno.errors.NotFound);
  assert.ok(Deno.statSync(there).isDirectory);
});

inHome.test("delete --max-size keeps sessions being written, and the files of other agents", async (home) => {
  const { path } = keepPiSession(home);
  const before = await Deno.readFile(path);
  const recording = home.talk(["record"]);
  await recording.write('{"kind":"user_message","payload":{"content":"hi"}}\n');
  await recording.line();
  const { stderr } = await home.succeed(["delete", "--max-size", "0B"]);
  assert.match(stderr, /^Nothing to move to the trash; \d+ B kept\n/);
  assert.match(
    stderr,
    /\nThese sessions over the limit are kept, because they are being written now: 1 session\nThe store is still \d+ B over the limit\n$/,
  );
  await recording.write('{"kind":"user_message","payload":{"content":"still"}}\n');
  assert.equal(JSON.parse(await recording.line() ?? "{}").seq, 3);
  await recording.endInput();
  assert.equal((await recording.end()).status, 0);
  assert.deepEqual(await Deno.readFile(path), before);
});

inHome.test("delete --older-than names an unfinished session that it removed", async (home) => {
  const directory = keepOld(home, "aaaa", 1);
  const draft = join(directory, "..", "20260101T000000000Z-" + sessionId("dddd") + ".tmp");
  Deno.mkdirSync(draft);
  const past = new Date(Date.now() - 2 * 86_400_000);
  Deno.utimeSync(draft, past, past);
  const { stderr } = await home.succeed(["delete", "--older-than", "30d"]);
  assert.match(
    stderr,
    /^Removed an unfinished session \(0 B\): .*\.tmp\n/,
  );
  await assert.rejects(Deno.stat(draft), Deno.errors.NotFound);
});

inHome.test("delete rejects limits that mean nothing, and takes sizes as people write them", async (home) => {
  keepOld(home, "aaaa", 40);
  const wrong = [
    ...["500", "MB", "-1MB", "5XB", "1e3MB", "", "99999999999TB"].map((size) =>
      `--max-size=${size}`
    ),
    ...["2999-01-01", "30", "soon", "-5d"].map((time) => `--older-than=${time}`),
  ];
  const refused = await home.runAll(wrong.map((flag) => ["delete", flag]));
  for (const [index, { status, stderr }] of refused.entries()) {
    assert.equal(status, 2, wrong[index]);
    assert.match(stderr, /See: reprise delete --help\n$/);
  }
  const sizes = ["1KB", "1kb", "0.5 MB", "1MiB", "2GB", "1TiB"];
  const taken = await home.runAll(sizes.map((size) => ["delete", "--max-size", size]));
  for (const { status, stderr } of taken) {
    assert.equal(status, 0);
    assert.match(stderr, /^Nothing to move/);
  }
  const both = await home.run(["delete", "--max-size", "1KB", "--over-limits"]);
  assert.equal(both.status, 2);
});

inHome.test("list says when a limit of the settings is passed, but not to a program", async (home) => {
  keepOld(home, "aaaa", 40);
  keepOld(home, "bbbb", 2);
  assert.equal((await home.run(["list"])).stderr, "");
  await home.run(["config", "set", "session.retention_days", "90"]);
  assert.equal((await home.run(["list"])).stderr, "");
  await home.run(["config", "set", "session.retention_days", "30"]);
  await home.run(["config", "set", "session.max_storage_mb", "0.0001"]);
  const [list, empty, json] = await home.runAll([
    ["list"],
    ["list", "--title", "nothing"],
    ["list", "--json"],
  ]);
  const note =
    /The sessions take up \d+ B, \d+ B over the limit session\.max_storage_mb; 1 session older than session\.retention_days; `reprise delete --over-limits` would move 2 sessions\n$/;
  assert.match(list?.stderr ?? "", note);
  assert.match(empty?.stderr ?? "", note);
  assert.deepEqual([json?.status, json?.stderr], [0, ""]);
  await Deno.writeTextFile(join(home.store, "config.json"), "nonsense");
  assert.deepEqual((await home.run(["list"])).status, 0);
});
