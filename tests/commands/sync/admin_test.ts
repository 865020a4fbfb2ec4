/** A store's owner sees who shares what, sets rules, holds sessions, and reads the audit. */
import assert from "node:assert/strict";
import { sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { needing } from "../../_support/needing.ts";
import { POSTGRES } from "../../_support/postgres.ts";
import { expectStatus, makeStore, withTeamHomes } from "../../_support/team_homes.ts";

const ONE = sessionId("aaaa");
const TWO = sessionId("bbbb");

// Slow: three machines run forty commands against PostgreSQL.
Deno.test(needing("a store's owner sees and rules what members share", POSTGRES), async (test) => {
  await withTeamHomes(async (team) => {
    await makeStore(team);
    const home = { owner: team.machine(), ann: team.machine(), ben: team.machine() };
    for (const [role, one] of Object.entries(home)) {
      await expectStatus(one, ["sync", "join", team.address(role)]);
    }
    const admin = async (...args: string[]): Promise<string> => {
      const { stdout, stderr } = await expectStatus(home.owner, ["sync", "admin", ...args]);
      return stdout + stderr;
    };
    const add = ["sync", "add", "--exact", "--yes", "--project"];
    const push = async (status = 0): Promise<string> =>
      (await expectStatus(home.ann, ["sync", "push"], status)).stderr;
    const stored = (): Promise<string> => team.sql("select count(*) from reprise.segment");
    home.ann.keep(ONE, [user("Why zebra?")]);
    await expectStatus(home.ann, [...add, "site"]);
    await push();

    await test.step("members and projects, with sizes", async () => {
      assert.match(await admin("members"), /^ann {2}1 session {2}\d+ B {2}20\d\d-/m);
      assert.match(await admin("members"), /^ben {2}0 sessions {2}0 B {2}no push$/m);
      assert.match(
        await admin("projects"),
        /^site {2}reprise_member {2}1 session {2}1 member {2}\d+ B/m,
      );
      const [metrics] = JSON.parse(await team.sql("select json_agg(m) from reprise.metrics m"));
      assert.deepEqual([metrics.sessions, metrics.members, metrics.withdrawn], [1, 1, 0]);
      for (const act of ["members", "rules", "readings", "hold", "expire"]) {
        const refused = await expectStatus(home.ann, ["sync", "admin", act], 1);
        assert.match(refused.stderr, /permission denied/);
      }
    });
    await test.step("the audit has who read another's session", async () => {
      await admin("rules", "--audit", "on");
      await expectStatus(home.ben, ["sync", "pull", "--all"]);
      await expectStatus(home.ann, ["sync", "pull", "--all"]);
      assert.match(await admin("readings"), new RegExp(`^20\\S+ {2}ben {2}ann/${ONE}@1\\n$`));
    });
    await test.step("a quota, and forms that are not taken, are refused in one line", async () => {
      home.ann.keep(TWO, [user("What else?")]);
      await admin("rules", "--member-quota", "10B");
      assert.match(await push(1), /refused the request: you have used your quota of this store$/m);
      await admin("rules", "--no-limits", "--project-quota", "10B");
      await team.sql("delete from reprise.session where id <> '" + ONE + "'");
      assert.match(await push(1), /refused the request: project site has used its quota/);
      await admin("rules", "--no-limits", "--forms", "copy,sealed");
      assert.match(await push(1), /takes no session as log, only as copy, sealed$/m);
      const unknown = await expectStatus(
        home.owner,
        ["sync", "admin", "rules", "--forms", "x"],
        1,
      );
      assert.match(unknown.stderr, /violates/);
      const rules = JSON.parse(await admin("rules", "--forms", "log,copy", "--json"));
      assert.deepEqual([rules.forms, rules.project_bytes], [["log", "copy"], null]);
      await push();
    });
    await test.step("only makers name a new project", async () => {
      await team.sql("create role team_leads; grant team_leads to ann");
      await admin("rules", "--makers", "team_leads");
      home.ben.keep(sessionId("cccc"), [user("Mine")]);
      await expectStatus(home.ben, [...add, "new"]);
      const refused = await expectStatus(home.ben, ["sync", "push"], 1);
      assert.match(refused.stderr, /you are no reader of project new/);
      await admin("rules", "--makers", "reprise_member");
    });
    await test.step("what is held is hidden by its owner, and stays until it is let go", async () => {
      const before = await stored();
      await admin("hold", "--member", "ann", "--reason", "case 7");
      await expectStatus(home.ann, ["sync", "withdraw", TWO]);
      assert.equal(await stored(), before);
      await assert.rejects(team.sql("delete from reprise.session"), /kept by a legal hold/);
      assert.match(await admin("expire"), /Deleted: 0 sessions/);
      assert.equal(await stored(), before);
      await admin("hold", "--release", "1");
      await admin("expire");
      assert.equal(await stored(), `${Number(before) - 1}`);
    });
    await test.step("old sessions go, and stay away", async () => {
      await admin("rules", "--keep-days", "30");
      assert.match(await admin("expire"), /Deleted: 0 sessions/);
      await team.sql("update reprise.session set changed_at = now() - interval '31 days'");
      assert.match(await admin("expire"), /Deleted: 1 session$/m);
      assert.equal(await stored(), "0");
    });
    await test.step("a membership that cannot be ended is not called revoked", async () => {
      await team.sql("create role staff; grant reprise_member to staff; grant staff to ben");
      const kept = await expectStatus(home.owner, ["sync", "admin", "revoke", "ben"], 1);
      assert.match(
        kept.stderr,
        /ben is still a member, because another role granted the membership/,
      );
      assert.doesNotMatch(kept.stderr, /Revoked/);
      await team.sql("revoke staff from ben; grant reprise_member to ben");
    });
    await test.step("who is revoked reads nothing", async () => {
      assert.match(await admin("revoke", "ben"), /^Revoked: ben can no longer read/);
      await expectStatus(home.ben, ["list", "--remote", "--all"], 1);
      await expectStatus(home.owner, ["sync", "admin", "revoke", "nobody"], 1);
    });
  });
});
