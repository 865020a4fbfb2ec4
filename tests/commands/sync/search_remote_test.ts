/** A team's store is searched without a pull: where the member may read, and what was redacted. */
import assert from "node:assert/strict";
import { makeIdentity, recipientOf } from "../../../lib/text/seal/mod.ts";
import { sessionId } from "../../_support/cli_home.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { onPostgres } from "../../_support/postgres.ts";
import { expectStatus, makeStore, withTeamHomes } from "../../_support/team_homes.ts";

// Slow: two machines run thirty commands against PostgreSQL.
onPostgres.test("search --remote finds what others said, and says what it cannot see", async (test) => {
  await withTeamHomes(async (team) => {
    await makeStore(team);
    const [ann, ben] = [team.machine(), team.machine()];
    for (const [home, role] of [[ann, "ann"], [ben, "ben"]] as const) {
      await expectStatus(home, ["sync", "join", team.address(role)]);
    }
    const [open, mine] = [sessionId("aaaa"), sessionId("bbbb")];
    ann.keep(open, [user("Why zebra?"), assistant("The stripes of parser.ts are don't care")]);
    await expectStatus(ann, ["sync", "add", "--project", "site"]);
    await expectStatus(ann, ["sync", "push"]);
    const found = async (...query: string[]): Promise<string> =>
      (await ben.run(["search", "--remote", ...query])).stdout;
    await test.step("prompts and answers of a copy, by beginnings of words", async () => {
      for (const query of ["zebra", "ZEB", "stripes parser.ts", "don't", "zebra OR lion"]) {
        assert.match(await found(query), /team:ann\/aaaa/, query);
      }
      for (const query of ["lion", "zebra NOT why", '"zebra stripes"', "ebra"]) {
        assert.equal(await found(query), "", query);
      }
      const [row] = (await found("zebra", "--json")).trim().split("\n");
      assert.equal(JSON.parse(row ?? "").session_id, open);
      await expectStatus(ben, ["search", "--remote", "zebra (a"], 2);
      for (const narrowed of [["--here"], ["--cwd", "."], ["--agent", "claude"], ["tag:bug"]]) {
        await expectStatus(ben, ["search", "--remote", "zebra", ...narrowed], 2);
      }
    });
    await test.step("what is private is found by its owner alone, and goes when it is withdrawn", async () => {
      ben.keep(mine, [user("My quagga")]);
      await expectStatus(ben, ["sync", "add", "--project", "diary", "--private"]);
      await expectStatus(ben, ["sync", "push"]);
      assert.match(await found("quagga"), /team:bbbb/);
      const { stdout, stderr } = await expectStatus(ann, ["search", "--remote", "quagga"], 1);
      assert.deepEqual([stdout, stderr.trim()], ["", "No shared session mentions: quagga"]);
      await expectStatus(ben, ["sync", "withdraw", mine]);
      assert.equal(await found("quagga"), "");
    });
    await test.step("a usual search says what it leaves out", async () => {
      const { stderr } = await expectStatus(ben, ["search", "--all", "zebra"], 1);
      assert.match(
        stderr,
        /^Not searched: shared sessions that have not been pulled yet\. To search these sessions: /m,
      );
    });
    await test.step("it counts what the last pull could not take, and is silent without", async () => {
      await expectStatus(ben, ["sync", "pull", "--all"]);
      const all = await expectStatus(ben, ["search", "--all", "zebra"]);
      assert.doesNotMatch(all.stderr, /Not searched/);
      const recipient = await recipientOf(await makeIdentity());
      ann.keep(sessionId("cccc"), [user("A sealed okapi")]);
      await expectStatus(ann, ["sync", "remove"]);
      const add = ["sync", "add", "--project", "vault", "--sealed", "--recipient", recipient];
      await expectStatus(ann, [...add, "--yes"]);
      await expectStatus(ann, ["sync", "push"]);
      await expectStatus(ben, ["sync", "pull", "--all"]);
      const { stderr } = await expectStatus(ben, ["search", "--all", "zebra"]);
      assert.match(
        stderr,
        /^Not searched: 1 shared session. To search these sessions: reprise search --remote/m,
      );
    });
  });
});
