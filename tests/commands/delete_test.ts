import assert from "node:assert/strict";
import { factsIn } from "../../lib/library/catalogue/facts_file.ts";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { settle } from "../_support/settle.ts";
import { user } from "../_support/log_bytes.ts";

inHome.test("delete moves sessions to the trash, whole, and says where", async (home) => {
  const one = home.keep(sessionId("aaaa"), [user("one")]);
  const two = home.keep(sessionId("bbbb"), [user("two")]);
  const before = await Deno.readFile(one.path);
  const { status, stdout, stderr } = await home.run(["delete", "aaaa", "bbbb", "aaaa"]);
  assert.deepEqual([status, stdout], [0, ""]);
  const places = [...stderr.matchAll(/^Moved (?:aaaa|bbbb)0000 to (.*)$/gm)].map(([, to]) =>
    to ?? ""
  );
  assert.equal(places.length, 2, stderr);
  assert.ok(places.every((place) => place.startsWith(join(home.store, "trash"))));
  assert.deepEqual(await Deno.readFile(join(places[0] ?? "", "transcript_events.jsonl")), before);
  for (const { directory } of [one, two]) {
    await assert.rejects(Deno.stat(directory), Deno.errors.NotFound);
  }
  assert.equal((await home.run(["list", "--all"])).stdout, "");
  const tombstones = jsonLines(
    await Deno.readTextFile(join(home.store, "trash", "tombstones.jsonl")),
  );
  assert.deepEqual(tombstones.map(({ session_id, title }) => [session_id, title]), [
    [one.id, "one"],
    [two.id, "two"],
  ]);
});

inHome.test("one wrong reference, and nothing is deleted", async (home) => {
  const { directory } = home.keep(sessionId("aaaa"), [user("one")]);
  const lines = [["aaaa", "zzzz"], ["aaaa", "aaa"], ["aaaa#2"], [directory], ["*"]];
  for (const { status, stderr } of await home.runAll(lines.map((args) => ["delete", ...args]))) {
    assert.equal(status, 1);
    assert.match(stderr, /^reprise: Cannot /);
  }
  assert.ok((await Deno.stat(directory)).isDirectory);
});

inHome.test("a session that is being written is not deleted", async (home) => {
  const recording = home.talk(["record"]);
  await recording.write('{"kind":"user_message","payload":{"content":"hi"}}\n');
  const { session_id = "" } = JSON.parse(await recording.line() ?? "{}");
  const { status, stderr } = await home.run(["delete", session_id]);
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^reprise: Cannot remove session: .* (?:has been writing it since|already has the session open).*\n$/,
  );
  await recording.write('{"kind":"user_message","payload":{"content":"still"}}\n');
  assert.equal(JSON.parse(await recording.line() ?? "{}").seq, 3);
  await recording.endInput();
  assert.equal((await recording.end()).status, 0);
});

Deno.test("delete says which cached facts of a trashed session remain", async () => {
  for (const args of [["delete", "aaaa"], ["delete", "aaaa", "--json"], ["delete"]]) {
    await using home = new CliHome();
    const { id, directory } = home.keep(sessionId("aaaa"), [user("one")]);
    home.keep(sessionId("bbbb"), [user("two")]);
    await settle();
    await home.succeed(["list", "--all"]);
    const [catalogue = ""] = factsIn(home.cache);
    Deno.removeSync(catalogue);
    Deno.mkdirSync(join(catalogue, "in-the-way"), { recursive: true, mode: 0o700 });
    const limit = args.length === 1 ? ["--older-than", "2026-11-21T20:21:55Z"] : [];
    const { status, stdout, stderr } = await home.run([...args, ...limit]);
    assert.equal(status, 1, stderr);
    if (args.includes("--json")) assert.equal(JSON.parse(stdout).session_id, id);
    else assert.match(stderr, /^Moved .*\bto .*trash/);
    assert.match(
      stderr,
      /^reprise: Cannot remove session from the cached session list: .*\. The session is in the trash, .*reprise cache clear$/m,
    );
    await assert.rejects(Deno.stat(directory), Deno.errors.NotFound);
    const listed = await home.run(["list", "--all"]);
    assert.doesNotMatch(listed.stdout, /aaaa0000/);
    assert.match(listed.stdout, /bbbb0000/);
    Deno.removeSync(catalogue, { recursive: true });
    assert.equal((await home.run(["trash", "restore", "aaaa"])).status, 0);
  }
});
