/** A project that the store refuses: the others are pushed, and the line names what is missing. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { expectStatus, makeStore, onTeam } from "../../_support/team_homes.ts";

const [ONE, TWO] = [sessionId("aaaa1111"), sessionId("bbbb2222")];

/** Writes a session in each of two directories, and returns the directories. */
function twoProjects(home: CliHome): [string, string] {
  const [open, closed] = [join(home.path, "open"), join(home.path, "closed")];
  for (const [id, cwd] of [[ONE, closed], [TWO, open]] as const) {
    Deno.mkdirSync(cwd);
    home.keep(id, [user("Why zebra?")], { cwd });
  }
  return [open, closed];
}

// Slow: it starts a PostgreSQL.
onTeam.test("a project without the right to read it stops no other, and its grant is named", async (team) => {
  await makeStore(team);
  await team.sql(
    "create role ledger_readers nologin; " +
      "insert into reprise.project values ('ledger', 'ledger_readers')",
  );
  const ann = team.machine();
  const [open, closed] = twoProjects(ann);
  await expectStatus(ann, ["sync", "join", team.address("ann")]);
  await expectStatus(ann, ["sync", "add", open, "--project", "site"]);
  await expectStatus(ann, ["sync", "add", closed, "--project", "ledger"]);
  const { stderr } = await expectStatus(ann, ["sync", "push"], 1);
  assert.match(stderr, /^1 session pushed \(1 new\)/);
  assert.match(
    stderr,
    /^reprise: No session of project ledger was sent: .*grant ledger_readers to ann$/m,
  );
  await team.sql("grant ledger_readers to ann");
  assert.match((await expectStatus(ann, ["sync", "push"])).stderr, /^1 session pushed \(1 new\)/);
});

inHome.test("a project that is not encrypted stops no encrypted one in a store for these", async (home) => {
  const env = { REPRISE_IDENTITY: join(home.path, "key.txt"), USER: "ann" };
  const run = async (args: readonly string[], status = 0): Promise<string> => {
    const result = await home.run(args, { env });
    assert.equal(result.status, status, result.stderr);
    return result.stderr;
  };
  await run(["key", "new", "--out", env.REPRISE_IDENTITY]);
  const [open, closed] = twoProjects(home);
  await run(["sync", "init", "--sealed", join(home.path, "share")]);
  await run(["sync", "add", open, "--project", "site", "--yes"]);
  await run(["sync", "add", closed, "--project", "ledger", "--exact", "--yes"]);
  const said = await run(["sync", "push"], 1);
  assert.match(said, /^1 session pushed \(1 new\)/);
  assert.match(said, /^reprise: No session of project ledger was sent: .*only encrypted sessions/m);
});
