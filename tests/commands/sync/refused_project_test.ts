/** A project that the store refuses: the others are pushed, and the line names what is missing. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { expectStatus, makeStore, onTeam } from "../../_support/team_homes.ts";

// Slow: it starts a PostgreSQL.
onTeam.test("a project without the right to read it stops no other, and its grant is named", async (team) => {
  await makeStore(team);
  await team.sql(
    "create role ledger_readers nologin; " +
      "insert into reprise.project values ('ledger', 'ledger_readers')",
  );
  const ann = team.machine();
  const once = ["--yes", "--once"];
  for (const [id, name] of [["aaaa1111", "ledger"], ["bbbb2222", "site"]] as const) {
    const cwd = join(ann.path, name);
    Deno.mkdirSync(cwd);
    ann.keep(sessionId(id), [user("Why zebra?")], { cwd });
    const args = ["sync", "team", team.address("ann"), "--project", name, ...once];
    assert.equal((await ann.run(args, { cwd })).status, 0);
  }
  const { stderr } = await expectStatus(ann, ["sync", "push"], 1);
  assert.match(
    stderr,
    /^reprise: No session of project ledger was sent: .*grant ledger_readers to ann$/m,
  );
  await team.sql("grant ledger_readers to ann");
  assert.match((await expectStatus(ann, ["sync", "push"])).stderr, /^1 session pushed \(1 new\)/);
});
