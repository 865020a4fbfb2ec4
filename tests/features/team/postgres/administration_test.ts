/** What the page for administrators tells to type does what it says. */
import assert from "node:assert/strict";
import { sessionId } from "../../../_support/cli_home.ts";
import { user } from "../../../_support/log_bytes.ts";
import { expectStatus, onTeam } from "../../../_support/team_homes.ts";

const PAGE = Deno.readTextFileSync(new URL("../../../../.github/TEAMS.md", import.meta.url));
/** Statements, in the order of the page: blocks, and those within a sentence. */
const STATEMENTS = [
  ...PAGE.matchAll(/```sql\n([\s\S]*?)```|`((?:revoke|delete|drop) [^`]+)`/g),
].map(([, block, inline]) => block ?? `${inline};`);

// Slow: a server gets a database with a store.
onTeam.test("the SQL of the page for teams lets members in, keeps projects apart, and removes both", async (team) => {
  const [member, project, leaving, deleting, removing] = STATEMENTS;
  assert.equal(STATEMENTS.length, 5);
  const machine = { ada: team.machine(), ben: team.machine(), ann: team.machine() };
  await expectStatus(team.machine(), ["sync", "init", team.address("owner")]);
  await team.sql(member ?? "");
  await team.sql("grant reprise_member to ben, ann");
  await team.sql(project ?? "");
  const id = sessionId("aaaa");
  machine.ada.keep(id, [user("What is owed?")]);
  for (const [role, home] of Object.entries(machine)) {
    await expectStatus(home, ["sync", "join", team.address(role)]);
  }
  const name = "git.example.org/ada/ledger";
  for (const home of [machine.ada, machine.ben]) {
    await expectStatus(home, ["sync", "add", "--project", name]);
  }
  await expectStatus(machine.ada, ["sync", "push"]);
  const listed = async (role: "ben" | "ann"): Promise<string> =>
    (await expectStatus(machine[role], ["list", "--remote", "--all"])).stdout;
  assert.match(await listed("ben"), /What is owed\?/);
  assert.doesNotMatch(await listed("ann"), /owed|ledger/);
  const refused = await expectStatus(machine.ann, ["sync", "add", "--project", name]);
  machine.ann.keep(sessionId("bbbb"), [user("mine")]);
  const pushed = await expectStatus(machine.ann, ["sync", "push"], 1);
  assert.match(pushed.stderr, /you are no reader of project git\.example/, refused.stderr);

  await team.sql(leaving ?? "");
  assert.match((await expectStatus(machine.ada, ["sync", "push"], 1)).stderr, /Cannot connect/);
  assert.match(await listed("ben"), /What is owed\?/);
  await team.sql(deleting ?? "");
  assert.doesNotMatch(await listed("ben"), /owed/);
  await team.sql(removing ?? "");
  const gone = await expectStatus(machine.ben, ["sync", "pull"], 1);
  assert.match(gone.stderr, /has no store of sessions/);
});
