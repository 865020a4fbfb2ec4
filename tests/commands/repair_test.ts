import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { concat, linesOf, user } from "../_support/log_bytes.ts";
import { keepPiSession } from "./_pi_session.ts";

Deno.test("repair writes a clean copy that verifies, and leaves the log as it is", async () => {
  await using home = new CliHome();
  const [one = "", two = ""] = linesOf([user("one"), user("two")]);
  const bytes = concat(one, '{"v":1,"seq":2,"kind":"user_mes', two, '{"v":1,"se');
  const { path } = home.keep(sessionId("aaaa"), [], { bytes });
  const { status, stdout, stderr } = await home.run(["repair", "aaaa", "--out", "clean.jsonl"]);
  assert.deepEqual([status, stdout], [0, ""]);
  assert.equal(
    stderr,
    "Wrote 2 events, 1 of them salvaged from damaged lines; left out 41 bytes of damage: " +
      `${join(home.work, "clean.jsonl")}\n`,
  );
  assert.deepEqual(await Deno.readFile(path), bytes);
  const [shown, verified] = await home.runAll([
    ["show", "clean.jsonl", "--events"],
    ["verify", "clean.jsonl"],
  ]);
  assert.deepEqual(jsonLines(shown?.stdout ?? "").map(({ seq }) => seq), [1, 2]);
  assert.equal(verified?.status, 0);
  if (Deno.build.os !== "windows") {
    const { mode } = await Deno.stat(`${home.work}/clean.jsonl`);
    assert.equal((mode ?? 0) & 0o777, 0o600);
  }
});

Deno.test("repair overwrites nothing, and makes no file where it cannot read", async () => {
  await using home = new CliHome();
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
  assert.match(results[0]?.stderr ?? "", /it exists, and nothing is overwritten/);
  assert.equal(await Deno.readTextFile(`${home.work}/there.txt`), "mine");
  const names = await Array.fromAsync(Deno.readDir(home.work), ({ name }) => name);
  assert.deepEqual(names, ["there.txt"]);
  assert.ok((await Deno.stat(path)).size > 0);
});

Deno.test("repair refuses another agent's log, which would be all damage to it", async () => {
  await using home = new CliHome();
  const { ref, path } = keepPiSession(home);
  for (const given of [ref, path]) {
    const { status, stderr } = await home.run(["repair", given, "--out", "clean.jsonl"]);
    assert.equal(status, 1);
    assert.match(stderr, /^reprise: Cannot repair log: it belongs to another agent/);
  }
  await assert.rejects(Deno.stat(`${home.work}/clean.jsonl`), Deno.errors.NotFound);
});
