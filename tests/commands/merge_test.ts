import assert from "node:assert/strict";
import { jsonLines } from "../_support/cli.ts";
import { inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { keepPiSession } from "./_pi_session.ts";

inHome.test("merge prints the new id, and says on stderr what was merged", async (home) => {
  const kept = ["aaaa", "bbbb"].map((prefix) =>
    home.keep(sessionId(prefix), [user(`Q ${prefix}`), assistant(`A ${prefix}`)])
  );
  const before = kept.map(({ directory }) => snapshot(directory));
  const { stdout, stderr } = await home.succeed(["merge", "aaaa", "bbbb"]);
  const id = stdout.trim();
  assert.equal(stderr, `Merged 6 events of 2 sessions\nContinue it with: reprise resume ${id}\n`);
  assert.deepEqual(kept.map(({ directory }) => snapshot(directory)), before);
  const [verified, conversation] = await home.runAll([["doctor", id], ["conversation", id]]);
  assert.deepEqual([verified?.status, verified?.stderr], [0, ""]);
  assert.match(verified?.stdout ?? "", /^whole: /);
  const messages = JSON.parse(conversation?.stdout ?? "");
  assert.deepEqual(messages.map(({ content }: { content: unknown }) => content), [
    "Q aaaa",
    "A aaaa",
    "Q bbbb",
    "A bbbb",
  ]);
});

inHome.test("merge --json is one object; directories that differ are told", async (home) => {
  home.keep(sessionId("aaaa"), [user("a")]);
  home.keep(sessionId("bbbb"), [user("b")], { cwd: home.path });
  const args = ["merge", "bbbb", "aaaa", "--json", "--title", "Both"];
  const { stdout, stderr } = await home.run(args);
  assert.match(stderr, /^The sessions are from 2 directories; the new session is in one of them$/m);
  const [made] = jsonLines(stdout);
  assert.deepEqual(made?.merged, [
    { session_id: sessionId("bbbb"), events: 2 },
    { session_id: sessionId("aaaa"), events: 2 },
  ]);
  const [row] = jsonLines((await home.run(["list", "--cwd", "..", "--json"])).stdout);
  assert.deepEqual([row?.session_id, row?.title], [made?.session_id, "Both"]);
});

inHome.test("merge refuses fewer than two, the same twice, an event, and another agent's", async (home) => {
  home.keep(sessionId("aaaa"), [user("a")]);
  home.keep(sessionId("bbbb"), [user("b")]);
  const { ref } = keepPiSession(home);
  const results = await home.runAll([
    ["merge", "aaaa"],
    ["merge", "aaaa", "bbbb", "aaaa0000"],
    ["merge", "aaaa", "bbbb#2"],
    ["merge", "aaaa", ref],
    ["merge", "aaaa", "cccc"],
  ]);
  assert.deepEqual(results.map(({ status, stdout }) => [status, stdout]), [
    [2, ""],
    [2, ""],
    [2, ""],
    [1, ""],
    [1, ""],
  ]);
  const [, twice, event, foreign] = results.map(({ stderr }) => stderr);
  assert.equal(twice, 'reprise: The same session is named twice: "aaaa" and "aaaa0000"\n');
  assert.match(
    event ?? "",
    /names an event, not a session\. .+ first fork it: reprise fork bbbb#2\n$/,
  );
  assert.match(
    foreign ?? "",
    /^reprise: Cannot merge pi:\S+: the session belongs to another agent\. Import it first: /,
  );
  assert.equal(
    jsonLines((await home.run(["list", "--agent", "reprise", "--all", "--json"])).stdout).length,
    2,
  );
});

inHome.test("merge names the damaged session", async (home) => {
  home.keep(sessionId("aaaa"), [user("a")]);
  const { path } = home.keep(sessionId("bbbb"), [user("b")]);
  Deno.writeTextFileSync(path, "noise\n", { append: true });
  const { stderr } = await home.succeed(["merge", "aaaa", "bbbb"]);
  const told = stderr.split("\n").filter((line) => line.startsWith("reprise: "));
  assert.deepEqual(told, [
    "reprise: the log is damaged: 1 malformed-line; see: reprise doctor bbbb",
  ]);
});
