import assert from "node:assert/strict";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { keepPiSession } from "./_pi_session.ts";

/** Two sessions of ours, and one of pi. */
function threeSessions(): { home: CliHome; pi: string } {
  const home = new CliHome();
  home.keep(sessionId("aaaa"), [user("Find the zebra"), assistant("Found.")], { title: "Zebra" });
  home.keep(sessionId("bbbb"), [user("Find the heron"), assistant("Found.")], { title: "Heron" });
  const { ref } = keepPiSession(home);
  return { home, pi: ref };
}

async function refs(home: CliHome, ...flags: string[]): Promise<string[]> {
  const { stdout } = await home.run(["list", "--all", "--json", ...flags]);
  return jsonLines(stdout).map(({ ref }) => String(ref)).sort();
}

Deno.test("a tagged session is found by its tag, whichever agent keeps it", async () => {
  const { home, pi } = threeSessions();
  await using _ = home;
  const first = await home.run(["tag", "aaaa", "bug,release"]);
  assert.deepEqual([first.status, first.stderr], [0, "Tags of aaaa0000: #bug #release\n"]);
  assert.equal((await home.run(["tag", pi, "#bug"])).status, 0);
  assert.deepEqual(await refs(home, "--tag", "bug"), [sessionId("aaaa"), pi]);
  assert.deepEqual(await refs(home, "--tag", "release"), [sessionId("aaaa")]);
  assert.deepEqual(await refs(home, "--tag", "bug", "-n", "1"), [sessionId("aaaa")]);
  const none = await home.run(["list", "--all", "--tag", "bu"]);
  assert.match(none.stderr, /^No session matches all of these flags$/m);
  assert.match((await home.run(["list", "--all"])).stdout, /#bug #release Zebra$/m);
});

Deno.test("a pinned session has a star and is what --pinned lists; limits keep it", async () => {
  const { home, pi } = threeSessions();
  await using _ = home;
  await home.run(["pin", "aaaa", pi]);
  assert.deepEqual(await refs(home, "--pinned"), [sessionId("aaaa"), pi]);
  assert.match((await home.run(["list", "--all"])).stdout, /★ Zebra$/m);
  const pruned = await home.run(["delete", "--max-size", "1B", "--dry-run", "--json"]);
  const { sessions } = JSON.parse(pruned.stdout) as { sessions: { session_id: string }[] };
  const ids = sessions.map(({ session_id }) => session_id);
  assert.ok(!ids.includes(sessionId("aaaa")), pruned.stdout);
  assert.ok(ids.includes(sessionId("bbbb")), pruned.stdout);
  await home.run(["pin", "--undo", "aaaa"]);
  assert.deepEqual(await refs(home, "--pinned"), [pi]);
  assert.equal((await home.run(["pin", "bbbb", "9999"])).status, 1);
  assert.deepEqual(await refs(home, "--pinned"), [pi]);
});

Deno.test("marks of a torn or a hostile file hide no session", async () => {
  const { home } = threeSessions();
  await using _ = home;
  await home.run(["tag", "aaaa", "bug"]);
  const path = `${home.store}/marks.jsonl`;
  const ref = sessionId("aaaa");
  const time = "2027-01-01T00:00:00.000Z";
  const hostile = [{ tags: "bug" }, { tags: [1] }, { pinned: "yes" }, { note: 7 }]
    .map((mark) => JSON.stringify({ ref, time, ...mark }));
  Deno.writeTextFileSync(path, `${hostile.join("\n")}\n{"ref":"${ref}","ta`, { append: true });
  assert.deepEqual(await refs(home, "--tag", "bug"), [ref]);
});
