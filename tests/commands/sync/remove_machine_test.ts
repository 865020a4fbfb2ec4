/** A person who lost a machine, from the first command line on. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { continueSession, nameMachine, setRemote } from "../../_support/team_homes.ts";

const ONE = sessionId("aaaa1111");

// Slow: two homes run eighteen command lines.
inHome.test("sync remove takes a lost machine out, and asks for a new key", async (laptop) => {
  await using desktop = new CliHome();
  const [old, fresh] = [join(laptop.path, "old.txt"), join(laptop.path, "new.txt")];
  let identity = old;
  const run = async (home: CliHome, args: readonly string[], status = 0): Promise<string> => {
    const result = await home.run(args, { env: { REPRISE_IDENTITY: identity, USER: "ann" } });
    assert.equal(result.status, status, `${args.join(" ")}\n${result.stderr}`);
    return result.stdout + result.stderr;
  };
  const share = join(laptop.path, "share");
  await run(laptop, ["key", "new", "--out", old]);
  const [key = ""] = /[0-9a-f]{64}/.exec(await run(laptop, ["sync", "init", share])) ?? [];
  laptop.keep(ONE, [user("Why zebra?")]);
  // A name without a folder is no path in the project.
  setRemote(laptop.work, "git@example.com:acme/site.git");
  await run(laptop, ["sync", "add", "--project", "site", "--yes"]);
  await run(laptop, ["sync", "push"]);
  const joined = await run(desktop, ["sync", "join", share, "--trust", key]);
  nameMachine(desktop, "desk");
  await run(laptop, ["sync", "trust", /[0-9a-f]{64}/.exec(joined)?.[0] ?? ""]);
  await run(desktop, ["sync", "add", "--project", "site", "--yes"]);
  await run(desktop, ["sync", "pull"]);
  await continueSession(desktop, ONE, "Because.");
  await run(desktop, ["sync", "push"]);

  const removed = await run(laptop, ["sync", "remove", "desk"]);
  assert.match(removed, /^Removed: desk\. Do the same on your other machines\ndesk has your/);
  assert.match(removed, /it can also read 1 session there/);
  // What the desktop did last was pulled while it was trusted.
  const shown = await run(laptop, ["show", ONE]);
  assert.match(shown, /Because\./);
  await continueSession(laptop, ONE, "Not for the desktop.");
  assert.match(await run(laptop, ["sync", "push"], 1), /has the private key of this one, too/);
  await run(laptop, ["key", "new", "--out", fresh]);
  Deno.writeTextFileSync(fresh, Deno.readTextFileSync(old), { append: true });
  identity = fresh;
  assert.match(await run(laptop, ["sync", "push"]), /^1 session pushed/);
  identity = old;
  assert.match(await run(desktop, ["sync", "pull"]), /^Nothing new\n.*Not decrypted/s);
});

inHome.test("sync remove refuses a name that no machine has", async (home) => {
  const run = (args: readonly string[]): ReturnType<CliHome["run"]> => home.run(args);
  assert.equal((await run(["sync", "init", join(home.path, "share")])).status, 0);
  const { status, stderr } = await run(["sync", "remove", "desk"]);
  assert.equal(status, 1);
  assert.match(stderr, /^reprise: Cannot remove desk: no shared directory and no machine/);
});
