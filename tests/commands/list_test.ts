import assert from "node:assert/strict";
import { join } from "node:path";
import { AGENT_NAMES } from "../../lib/core/event/agent_name.ts";
import { jsonLines } from "../_support/cli.ts";
import { inHome, sessionId, testsAtHome } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { UNIX } from "../_support/needing.ts";

function ids(stdout: string): string[] {
  return stdout.split("\n").slice(1).flatMap((line) => line === "" ? [] : [line.slice(0, 4)]);
}

inHome.test("a date means midnight where the reader is", async (home) => {
  home.keep(sessionId("aaaa"), [], { created: new Date("2026-11-20T20:00:00Z") });
  const { stdout } = await home.run(["list", "--since", "2026-11-21"], {
    env: { TZ: "Asia/Tokyo" },
  });
  assert.deepEqual(ids(stdout), ["aaaa"]);
});

inHome.test("list finds a directory through a link", async (home) => {
  home.keep(sessionId("aaaa"), [user("Here")]);
  await Deno.symlink(home.work, join(home.path, "link"), { type: "junction" });
  assert.deepEqual(ids((await home.run(["list", "--cwd", "../link"])).stdout), ["aaaa"]);
});

inHome.test("a session that is being written runs", async (home) => {
  const recording = home.talk(["record"]);
  await recording.write('{"kind":"user_message","payload":{"content":"hi"}}\n');
  await recording.line();
  const during = jsonLines((await home.run(["list", "--json"])).stdout);
  await recording.endInput();
  await recording.end();
  const after = jsonLines((await home.run(["list", "--json"])).stdout);
  assert.deepEqual(during.map(({ status }) => status), ["running"]);
  assert.deepEqual(after.map(({ status }) => status), ["completed"]);
});

inHome.test("list --agents --json names every agent", async (home) => {
  const { stdout } = await home.run(["list", "--agents", "--json"]);
  assert.deepEqual(jsonLines(stdout).map(({ agent }) => agent), [...AGENT_NAMES]);
});

testsAtHome(UNIX).test("one session that cannot be read hides no other", async (home) => {
  home.keep(sessionId("aaaa"), [user("One")]);
  home.keep(sessionId("bbbb"), [user("Two")]);
  const [folder = "", loop = ""] = ["1111", "2222", "3333"].map((id) => {
    const { path } = home.keep(sessionId(id), []);
    Deno.removeSync(path);
    return path;
  });
  Deno.mkdirSync(folder);
  Deno.symlinkSync(loop, loop);
  const { stdout, stderr } = await home.succeed(["list"]);
  assert.deepEqual(ids(stdout), ["bbbb", "aaaa"]);
  const told = stderr.trimEnd().split("\n");
  assert.equal(told.length, 2, stderr);
  for (const line of told) assert.match(line, /^reprise: Cannot .*: .*(1111|2222)/);
});

inHome.test("short ids are as long as it takes to tell sessions apart", async (home) => {
  home.keep(sessionId("aaaaaaaa-000"), [user("one")]);
  home.keep(sessionId("aaaaaaaa-00a"), [user("two")]);
  const { stdout } = await home.run(["list"]);
  const names = stdout.trimEnd().split("\n").slice(1).map((row) => row.split(" ")[0] ?? "");
  assert.equal(new Set(names).size, 2);
  const shown = await home.runAll(names.map((name) => ["conversation", name]));
  assert.deepEqual(shown.map(({ status }) => status), [0, 0]);
});

inHome.test("list, search and stats say which days are meant by words", async (home) => {
  const week = ["--since", "last-week", "--until", "last week"];
  const results = await home.runAll([
    ...[["list", ...week], ["search", "One", ...week], ["stats", ...week]],
    ...[["list", "--since", "2026-11-01"], ["list", "--json", ...week]],
  ]);
  const lengths = results.map(({ stderr }) => {
    const [, first = "", last = ""] = /^(\S{10}) to (\S{10})\n/.exec(stderr) ?? [];
    return (Date.parse(last) - Date.parse(first)) / 86_400_000;
  });
  assert.deepEqual(lengths, [6, 6, 6, NaN, NaN]);
  const { stderr } = await home.run(["list", "--all", "--since", "last week"]);
  assert.match(stderr, /^\S{10} to \S{10}; for last week alone, add --until "last week"\n/);
  const today = await home.run(["list", "--all", "--since", "today"]);
  assert.match(today.stderr, /^\S{10}\n/);
});
