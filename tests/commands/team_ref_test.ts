import assert from "node:assert/strict";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { mirror, mirrorRoot } from "../_support/mirrored.ts";
import { snapshot } from "../_support/store_snapshot.ts";

const ID = sessionId("aaaa1111");
const REF = `team:ann/${ID}`;

function fill(home: CliHome): void {
  mirror(home.store, { session: ID, owner: "ann" }, [user("Why zebra?"), assistant("Because.")]);
}

inHome.test("every command that reads takes a session of the team, and leaves it as it is", async (home) => {
  fill(home);
  home.keep(sessionId("bbbb"), [user("Why zebra?"), assistant("Who knows.")]);
  const before = snapshot(mirrorRoot(home.store));
  const lines = [
    ["show", "team:aaaa"],
    ["show", `${REF}#2`, "--json"],
    ["conversation", REF],
    ["doctor", REF],
    ["path", REF],
    ["export", REF, "--format", "jsonl"],
    ["export", REF, "--format", "md"],
    ["diff", "bbbb", REF],
    ["resume", REF, "--json"],
    ["secrets", REF],
    ["resume", REF, "--print"],
  ];
  const results = await home.runAll(lines);
  for (const [index, { status, stdout, stderr }] of results.entries()) {
    assert.deepEqual([status, stderr.includes("Cannot")], [0, false], `${lines[index]}: ${stderr}`);
    assert.notEqual(stdout + stderr, "");
  }
  assert.match(results[7]?.stdout ?? "", /team:ann\/aaaa1111/);
  const { command } = JSON.parse(results[8]?.stdout ?? "{}");
  assert.deepEqual(command?.argv ?? [], ["reprise", "chat", "--resume", REF]);
  assert.equal(results[10]?.stdout, `cd ${home.work} && reprise chat --resume ${REF}\n`);
  assert.deepEqual(snapshot(mirrorRoot(home.store)), before);
});

inHome.test("a fork or an import of a team's session is one's own, in this directory", async (home) => {
  fill(home);
  for (const command of ["fork", "import"]) {
    const made = await home.run([command, REF]);
    assert.equal(made.status, 0, made.stderr);
    const rows = jsonLines((await home.run(["list", "--json"])).stdout);
    const row = rows.find(({ session_id }) => session_id === made.stdout.trim());
    assert.deepEqual([row?.cwd, row?.title], [home.work, "Why zebra?"], command);
  }
});

inHome.test("a chat goes on with a team's session in a fork of one's own", async (home) => {
  fill(home);
  const before = snapshot(mirrorRoot(home.store));
  const args = ["chat", "--resume", "team:aaaa", "--model", "mock", "And then?"];
  const { stderr } = await home.succeed(args);
  const [, id = ""] = /Forked: the copy of team:ann\/\S+ is session (\S+)$/m.exec(stderr) ?? [];
  const [row] = jsonLines((await home.run(["list", "--json"])).stdout);
  assert.deepEqual([row?.session_id, row?.cwd], [id, home.work]);
  const { stdout } = await home.run(["show", id]);
  assert.match(stdout, /Why zebra\?[^]+And then\?/);
  assert.deepEqual(snapshot(mirrorRoot(home.store)), before);
});

inHome.test("a session of the team is changed by no command, and each says what to do", async (home) => {
  fill(home);
  const before = snapshot(home.store);
  const lines = (ref: string) => [
    ["rename", ref, "Other"],
    ["archive", ref],
    ["delete", ref],
    ["record", "--resume", ref],
  ];
  for (const { status, stderr } of await home.runAll(lines(REF))) {
    assert.equal(status, 1);
    assert.equal(
      stderr,
      `reprise: Cannot change session "${REF}": shared sessions are read-only. ` +
        `To make a copy: reprise fork ${REF}\n`,
    );
  }
  for (const { stderr } of await home.runAll(lines("team:aaaa1111"))) {
    assert.match(stderr, /fork team:aaaa1111\. If the session is yours, use aaaa1111 instead\n$/);
  }
  assert.deepEqual(snapshot(home.store), before);
});
