/** Limits that are kept by themselves: off by default, and announced before anything moves. */
import assert from "node:assert/strict";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { said } from "./_recorded.ts";

async function titles(home: CliHome): Promise<unknown[]> {
  const rows = jsonLines((await home.run(["list", "--json", "--all"])).stdout);
  return rows.map(({ title }) => title).sort();
}

async function recorded(home: CliHome, title: string): Promise<string> {
  const { status, stderr } = await home.run(["record", "--title", title], { stdin: said("Hi") });
  assert.equal(status, 0, stderr);
  return stderr;
}

inHome.test("sessions over a limit are announced once and moved from the next time on", async (home) => {
  const time = "2001-01-01T00:00:00.000Z";
  home.keep(sessionId("aaaa"), [{ ...user("Old"), time }], { created: new Date(time) });
  await home.run(["config", "set", "session.retention_days", "3650"]);
  assert.equal(await recorded(home, "One"), "");
  await home.run(["config", "set", "session.auto_prune", "true"]);
  assert.match(
    await recorded(home, "Two"),
    /Sessions over the limits on age or size: 1 session\. They move to the trash when the next session begins\b/,
  );
  assert.deepEqual(await titles(home), ["Old", "One", "Two"]);
  // Other limits are announced anew.
  await home.run(["config", "set", "session.retention_days", "4000"]);
  assert.match(
    await recorded(home, "Three"),
    /They move to the trash when the next session begins /,
  );
  assert.match(
    await recorded(home, "Four"),
    /^Moved 1 session to the trash, because of the limits on age or size/,
  );
  assert.deepEqual(await titles(home), ["Four", "One", "Three", "Two"]);
  assert.equal(await recorded(home, "Five"), "");
  await home.run(["trash", "restore", "aaaa"]);
  await home.run(["config", "set", "session.auto_prune", "false"]);
  assert.equal(await recorded(home, "Six"), "");
  assert.equal((await titles(home)).includes("Old"), true);
});
