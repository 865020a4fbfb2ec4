import assert from "node:assert/strict";
import { join } from "node:path";
import { type CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { partsBelow } from "../../_support/team_member.ts";

type Run = (args: readonly string[], status?: number) => Promise<string>;

/** Shares one session in a folder of the home. */
async function shareOne(home: CliHome): Promise<Run> {
  const run: Run = async (args, status = 0) => {
    const result = await home.run(args, { env: { USER: "ann" } });
    assert.equal(result.status, status, `${args.join(" ")}\n${result.stderr}`);
    return result.stdout + result.stderr;
  };
  home.keep(sessionId("aaaa1111"), [user("Why zebra?")]);
  await run(["sync", "team", join(home.path, "share"), "--project", "site", "--yes", "--once"]);
  return run;
}

const WHOLE = "The store has everything that this machine sent: 1 session\n";

inHome.test("sync check sends a lost file again, and says so", async (home) => {
  const run = await shareOne(home);
  assert.equal(await run(["sync", "check"]), WHOLE);
  Deno.removeSync(partsBelow(join(home.path, "share"))[0] ?? "");
  assert.equal(
    await run(["sync", "check"]),
    "Sent again, because the store lost or changed parts of them: aaaa1111\n",
  );
  assert.equal(await run(["sync", "check"]), WHOLE);
});

inHome.test("sync check fails for a session that is no longer shared, and --json lists it", async (home) => {
  const run = await shareOne(home);
  Deno.removeSync(partsBelow(join(home.path, "share"))[0] ?? "");
  await run(["sync", "remove"]);
  const { lost } = JSON.parse(await run(["sync", "check", "--json"], 1));
  assert.equal(lost[0].session, sessionId("aaaa1111"));
  assert.match(await run(["sync", "check"], 1), /^reprise: aaaa1111: the store lost a part/);
});

inHome.test("sync withdraw deletes the copy, and the session is not shared again", async (home) => {
  const run = await shareOne(home);
  assert.match(await run(["sync", "withdraw", "aaaa"]), /^Withdrawn: aaaa1111$/m);
  assert.deepEqual(partsBelow(join(home.path, "share")), []);
  assert.equal(await run(["sync", "push"]), "Nothing new: 0 sessions shared\n");
  assert.match(await run(["sync"]), /^shared {4}0 sessions, 1 withdrawn$/m);
  assert.match(await run(["sync", "withdraw", "bbbb"], 1), /do not share a session with this id/);
  assert.match(await run(["sync", "withdraw", "team:ben/aaaa"], 1), /only ben can withdraw it/);
});
