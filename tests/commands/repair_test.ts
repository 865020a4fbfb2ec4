import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { inHome, sessionId } from "../_support/cli_home.ts";
import { concat, linesOf, user } from "../_support/log_bytes.ts";
import { keepPiSession } from "./_pi_session.ts";

inHome.test("repair writes a clean copy that verifies, and leaves the log as it is", async (home) => {
  const [one = "", two = ""] = linesOf([user("one"), user("two")]);
  const bytes = concat(one, '{"v":1,"seq":2,"kind":"user_mes', two, '{"v":1,"se');
  const { path } = home.keep(sessionId("aaaa"), [], { bytes });
  const { status, stdout, stderr } = await home.run(["repair", "aaaa", "--out", "clean.jsonl"]);
  assert.deepEqual([status, stdout], [0, ""]);
  assert.equal(
    stderr,
    "Wrote 2 events (1 of them recovered from damaged lines), and left out 41 damaged bytes: " +
      `${join(home.work, "clean.jsonl")}\n`,
  );
  assert.deepEqual(await Deno.readFile(path), bytes);
  const [shown, verified] = await home.runAll([
    ["show", "clean.jsonl", "--events"],
    ["doctor", "clean.jsonl"],
  ]);
  assert.deepEqual(jsonLines(shown?.stdout ?? "").map(({ seq }) => seq), [1, 2]);
  assert.equal(verified?.status, 0);
  if (Deno.build.os !== "windows") {
    const { mode } = await Deno.stat(`${home.work}/clean.jsonl`);
    assert.equal((mode ?? 0) & 0o777, 0o600);
  }
});

inHome.test("repair overwrites nothing, and makes no file where it cannot read", async (home) => {
  const { path } = home.keep(sessionId("aaaa"), [user("hi")]);
  await Deno.writeTextFile(`${home.work}/there.txt`, "mine");
  const results = await home.runAll([
    ["repair", "aaaa", "--out", "there.txt"],
    ["repair", path, "--out", path],
    ["repair", "aaaa", "--out", "no/such/folder.jsonl"],
    ["repair", "bbbb", "--out", "new.jsonl"],
    ["repair", "./missing.jsonl", "--out", "new.jsonl"],
    ["repair", home.work, "--out", "new.jsonl"],
  ]);
  for (const { status, stdout, stderr } of results) {
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(stderr, /^reprise: Cannot [a-z]+ [^\n]*\n$/);
  }
  assert.match(
    results[0]?.stderr ?? "",
    /the file already exists, and Reprise does not overwrite it/,
  );
  assert.equal(await Deno.readTextFile(`${home.work}/there.txt`), "mine");
  const names = await Array.fromAsync(Deno.readDir(home.work), ({ name }) => name);
  assert.deepEqual(names, ["there.txt"]);
  assert.ok((await Deno.stat(path)).size > 0);
});

inHome.test("repair writes a clean copy of another agent's session", async (home) => {
  const { ref, path } = keepPiSession(home);
  const bytes = await Deno.readFile(path);
  await Deno.writeFile(path, concat(bytes, '{"type":"mess'));
  const json = await home.run(["repair", ref, "--out", "clean.jsonl", "--json"]);
  const there = await home.run(["repair", path, "--out", "clean.jsonl"]);
  assert.equal(json.status, 0, json.stderr);
  const [report] = jsonLines(json.stdout ?? "");
  assert.deepEqual((report?.findings as { damage: string }[]).map(({ damage }) => damage), [
    "torn-end",
  ]);
  assert.deepEqual(await Deno.readFile(`${home.work}/clean.jsonl`), bytes);
  assert.equal(there.status, 1);
  assert.match(there.stderr ?? "", /the file already exists, and Reprise does not overwrite it/);
});

inHome.test("P14: repair in place says what it would do, does it when told, and undoes it", async (home) => {
  const { ref, path } = keepPiSession(home);
  const whole = await Deno.readFile(path);
  const torn = concat(whole, '{"type":"mess');
  await Deno.writeFile(path, torn);
  const long_ago = new Date("2026-01-01T00:00:00Z");
  await Deno.utime(path, long_ago, long_ago);
  if (Deno.build.os !== "windows") await Deno.chmod(path, 0o640);
  const { mode } = await Deno.stat(path);
  const dry = await home.run(["repair", ref, "--in-place"]);
  assert.equal(dry.status, 0, dry.stderr);
  assert.match(
    dry.stdout,
    /^line \d+, byte \d+: an incomplete record of 13 bytes\n {2}now: pi skips this record/,
  );
  assert.match(dry.stdout, /\nTo write the repair: reprise repair pi:\S+ --in-place --write\n$/);
  assert.deepEqual(await Deno.readFile(path), torn);

  const done = await home.run(["repair", ref, "--in-place", "--write"]);
  assert.equal(done.status, 0, done.stderr);
  const [, kept = ""] =
    /The original is (\S+\.reprise-bak-\S+)\nUndo with: reprise repair/.exec(done.stderr) ?? [];
  assert.deepEqual([await Deno.readFile(kept), (await Deno.stat(kept)).mode], [torn, mode]);
  assert.deepEqual(await Deno.readFile(path), whole);
  const again = await home.run(["repair", ref, "--in-place", "--write"]);
  assert.match(again.stdout, /^Nothing to repair in pi:/);

  const undone = await home.run(["repair", ref, "--in-place", "--undo", "--json"]);
  assert.equal(undone.status, 0, undone.stderr);
  assert.equal(jsonLines(undone.stdout)[0]?.path, path);
  assert.deepEqual(await Deno.readFile(path), torn);
});

inHome.test("repair says what goes with what, and where a log of its own is repaired", async (home) => {
  home.keep(sessionId("aaaa"), [user("hi")]);
  const { ref } = keepPiSession(home);
  const [nothing, both, undo, own, guess, thread] = await home.runAll([
    ["repair", ref],
    ["repair", ref, "--in-place", "--out", "x.jsonl"],
    ["repair", ref, "--in-place", "--undo", "--relink"],
    ["repair", "aaaa", "--in-place"],
    ["repair", "aaaa", "--out", "x.jsonl", "--relink"],
    ["repair", `${ref}~main`, "--in-place"],
  ]);
  assert.deepEqual([nothing?.status, both?.status, undo?.status, guess?.status], [2, 2, 2, 2]);
  assert.match(nothing?.stderr ?? "", /--out FILE for a clean copy, or --in-place/);
  assert.match(guess?.stderr ?? "", /sessions of agents other than Reprise/);
  assert.match(thread?.stderr ?? "", /name the whole session, without the branch or subagent/);
  assert.equal(own?.status, 1);
  assert.match(own?.stderr ?? "", /to write a clean copy: reprise repair REF --out FILE/);
  await assert.rejects(Deno.stat(`${home.work}/x.jsonl`), Deno.errors.NotFound);
});
