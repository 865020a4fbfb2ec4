/** Two members of a team in a folder, by commands alone. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { talkAbout } from "../../frontends/mcp/_history.ts";
import { keepClaudeSession } from "../_fake_agent.ts";

const ID = sessionId("3f2a1111");

// Slow: some twenty commands of two machines.
inDirectory.test("a member's sessions are listed, searched and shown at the other's, marked by their member", async (folder) => {
  await using ann = new CliHome();
  await using ben = new CliHome();
  const place = join(folder, "team");
  const run = async (home: CliHome, ...args: string[]): Promise<string> => {
    const { stdout, stderr } = await home.succeed(args);
    return stdout + stderr;
  };
  const share = (home: CliHome, name: string): Promise<string> =>
    run(home, "sync", "team", `${place}?user=${name}`, "--project", "zoo", "--yes", "--once");
  ann.keep(ID, [user("Where is the okapi? DB_PASSWORD=tr0ub4dor-and-3"), assistant("There")]);
  keepClaudeSession(ann, sessionId("8d1f2222"), ann.work);
  const told = await share(ann, "ann");
  assert.match(told, /^Created a team's store$/m);
  assert.match(told, /^zoo {2}\S+: 2 sessions, .* \(1 claude, 1 reprise\)$/m);
  assert.match(told, /Found 1 secret \(1 password\), replaced by placeholders/);
  assert.match(told, /^2 sessions pushed \(2 new\)/m);
  ben.keep(sessionId("aaaa3333"), [user("And the zebra?")]);
  assert.match(await share(ben, "ben"), /^2 sessions of other members: .* reprise list$/m);

  const rows = jsonLines((await ben.succeed(["list", "--json"])).stdout);
  const shared = `team:ann/${ID}`;
  assert.deepEqual(
    rows.map(({ ref }) => ref).sort(),
    [sessionId("aaaa3333"), shared, `team:ann/claude:${sessionId("8d1f2222")}`].sort(),
  );
  // Each belongs to the directory that the project has on this machine.
  assert.deepEqual([...new Set(rows.map(({ cwd }) => cwd))], [ben.work]);
  assert.match(await run(ben, "list"), /\[by ann\] Where is the okapi/);
  assert.match(await run(ben, "search", "okapi"), /okapi/);
  assert.match(await run(ben, "show", shared), /okapi\? DB_PASSWORD=\[redacted/);
  assert.match(await run(ben, "show", "team:3f2a"), /There/);
  assert.equal((await ben.run(["search", "--here", "giraffe"])).status, 1);
  // What others wrote counts as nothing of one's own, and a model gets none of it.
  assert.doesNotMatch(await run(ben, "stats", "--json"), /tr0ub4dor|okapi/);
  await using talk = await talkAbout(ben);
  assert.doesNotMatch(await talk.call("list_sessions", {}), /okapi/);

  await ann.keep(sessionId("bbbb4444"), [user("One more")]);
  assert.match(await run(ann, "sync", "push"), /^1 session pushed \(1 new\)/);
  assert.match(await run(ben, "sync", "pull"), /^1 session of other members/);
  assert.match(
    await run(ben, "sync"),
    /^team {6}file:.*\?user=ben\nproject {3}zoo {2}\S+\nshared {4}1 session\n/,
  );
  const state = JSON.parse(await run(ben, "sync", "--json"));
  assert.deepEqual([state.machines, state.team.shared], [null, 1]);
  assert.match(await run(ann, "delete", "bbbb4444"), /reprise sync withdraw/);
  assert.match(await run(ann, "sync", "remove"), /^No longer sent: zoo/);
  assert.match((await ann.run(["sync", "push"])).stderr, /no project is shared/);
});

inHome.test("sync team says what it needs, and shares nothing unasked", async (home) => {
  const place = join(home.path, "team");
  const cases: [string[], RegExp][] = [
    [["sync", "team"], /name the place: reprise sync team PLACE/],
    [["sync", "team", place], /has no git remote, so Reprise cannot name it; .*--project NAME/],
    [["sync", "team", place, "--project", "zoo"], /this is not a terminal. Add --yes/],
    [["sync", "team", "s3://KEY:SECRET@team"], /the address must not contain access keys/],
    [["sync", "push"], /shares with no team yet/],
    [["sync", "remove"], /no project is sent/],
    [["sync", "words"], /this machine is not paired/],
  ];
  for (const [args, message] of cases) {
    const { status, stderr } = await home.run(args);
    assert.notEqual(status, 0);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /SECRET/);
  }
  assert.throws(() => Deno.statSync(join(home.store, "sync.json")));
  const joined = await home.run(["sync", "team", place, "--once"], { cwd: home.path });
  assert.match(joined.stderr, /^Nothing is shared yet\./m);
});

inHome.test("a store of a development version is refused with one line", async (home) => {
  const place = join(home.path, "old");
  Deno.mkdirSync(join(place, "v1", "heads"), { recursive: true });
  const { encodeDocument } = await import("../../../lib/features/team/objects/document.ts");
  const facts = { id: crypto.randomUUID(), version: 2, owner: "ann" };
  Deno.writeFileSync(join(place, "v1/heads/store.json"), encodeDocument(facts));
  const args = ["sync", "team", place, "--project", "zoo", "--yes", "--once"];
  const { status, stderr } = await home.run(args);
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^reprise: Cannot use the store: a development version of Reprise made it\. [^\n]+\n$/,
  );
});
