import assert from "node:assert/strict";
import { sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { POSTGRES } from "../../_support/postgres.ts";
import { expectStatus, makeStore, withTeamHomes } from "../../_support/team_homes.ts";
import { needing, UNIX } from "../../_support/needing.ts";

const LATE_MS = 120_000;

// Slow: a watch is a process, and pushes once a second at most.
Deno.test({
  ...needing(
    "watch tells of each change and of each outage once, and ends in order",
    POSTGRES,
    UNIX,
  ),
  fn: async () => {
    await withTeamHomes(async (team) => {
      await makeStore(team);
      const home = team.machine();
      const share = ["sync", "team", team.address("ann"), "--project", "site"];
      await expectStatus(home, [...share, "--yes", "--once"]);
      const watch = home.start(["sync", "watch", "--every", "1"]);
      const until = async (pattern: RegExp): Promise<string> => {
        // A watch that never says it would wait for ever.
        const late = setTimeout(() => watch.kill("SIGKILL"), LATE_MS);
        try {
          for (
            let line = await watch.errorLine();
            line !== undefined;
            line = await watch.errorLine()
          ) {
            if (pattern.test(line)) return line;
          }
        } finally {
          clearTimeout(late);
        }
        throw new Error(`never said: ${pattern}`);
      };
      await until(/^Sending and receiving every 1 s\. To stop: \^C$/);
      home.keep(sessionId("aaaa"), [user("new")]);
      await until(/^1 session pushed \(1 new\)/);
      await team.server.stop();
      const outage = await until(/^reprise: Cannot /);
      assert.match(outage, /; trying again$/);
      home.keep(sessionId("bbbb"), [user("meanwhile")]);
      await team.server.start();
      assert.match(await until(/./), /^1 session pushed|^The store can be reached again$/);
      assert.match(await until(/./), /^1 session pushed|^The store can be reached again$/);
      watch.kill("SIGTERM");
      const { status } = await watch.end();
      assert.equal(status, 0);
      const { stdout } = await expectStatus(home, ["sync"]);
      assert.match(stdout, /^last push .*\d, by sync watch: \d sessions?$/m);
      assert.match(stdout, /^last pull .*\d, by sync watch: 0 sessions$/m);
      const interrupted = home.start(["sync", "watch"]);
      await interrupted.errorLine();
      interrupted.kill("SIGINT");
      assert.equal((await interrupted.end()).status, 130);
    });
  },
});

Deno.test("watch without a store, or with none to say, ends at once", async () => {
  const { CliHome } = await import("../../_support/cli_home.ts");
  await using home = new CliHome();
  const { stderr } = await expectStatus(home, ["sync", "watch"], 1);
  assert.match(stderr, /^reprise: Cannot watch: this machine syncs with no other yet/);
  await expectStatus(home, ["sync", "watch", "--every", "0"], 2);
});
