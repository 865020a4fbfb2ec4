import assert from "node:assert/strict";
import { factsIn } from "../../lib/library/catalogue/facts_file.ts";
import { join } from "node:path";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { settle } from "../_support/settle.ts";
import { user } from "../_support/log_bytes.ts";

inHome.test("a session that is being written is not deleted, by name or by its size", async (home) => {
  const recording = home.talk(["record"]);
  await recording.write('{"kind":"user_message","payload":{"content":"hi"}}\n');
  const { session_id = "" } = JSON.parse(await recording.line() ?? "{}");
  const named = await home.run(["delete", session_id]);
  assert.equal(named.status, 1);
  assert.match(
    named.stderr,
    /^reprise: Cannot remove session: .* (?:has been writing it since|already has the session open).*\n$/,
  );
  assert.match(
    (await home.succeed(["delete", "--max-size", "0B"])).stderr,
    /^Nothing to move to the trash; \d+ B kept\nThese sessions over the limit are kept, because they are being written now: 1 session\nThe store is still \d+ B over the limit\n$/,
  );
  await recording.write('{"kind":"user_message","payload":{"content":"still"}}\n');
  assert.equal(JSON.parse(await recording.line() ?? "{}").seq, 3);
  await recording.endInput();
  assert.equal((await recording.end()).status, 0);
});

inHome.test("delete --older-than names an unfinished session that it removed", async (home) => {
  const { directory } = home.keep(sessionId("aaaa"), [user("one")], { created: new Date() });
  const draft = join(directory, "..", `20260101T000000000Z-${sessionId("dddd")}.tmp`);
  Deno.mkdirSync(draft);
  const past = new Date(Date.now() - 2 * 86_400_000);
  Deno.utimeSync(draft, past, past);
  const { stderr } = await home.succeed(["delete", "--older-than", "30d"]);
  assert.match(stderr, /^Removed an unfinished session \(0 B\): .*\.tmp\n/);
  await assert.rejects(Deno.stat(draft), Deno.errors.NotFound);
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
