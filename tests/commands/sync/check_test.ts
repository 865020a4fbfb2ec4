import assert from "node:assert/strict";
import { join } from "node:path";
import { type CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { filesBelow } from "../../_support/files_below.ts";
import { user } from "../../_support/log_bytes.ts";

type Run = (args: readonly string[], status?: number) => Promise<string>;

/** Shares one exact session in a folder of the home. */
async function shareOne(home: CliHome): Promise<Run> {
  const run: Run = async (args, status = 0) => {
    const result = await home.run(args, { env: { USER: "ann" } });
    assert.equal(result.status, status, `${args.join(" ")}\n${result.stderr}`);
    return result.stdout + result.stderr;
  };
  home.keep(sessionId("aaaa1111"), [user("Why zebra?")]);
  await run(["sync", "init", join(home.path, "share")]);
  await run(["sync", "add", "--project", "site", "--exact", "--yes"]);
  await run(["sync", "push"]);
  return run;
}

function loseFile(home: CliHome): void {
  const [lost = ""] = filesBelow(join(home.path, "share", "v1", "segments"));
  Deno.removeSync(lost);
}

inHome.test("sync check sends a lost file again, and says so", async (home) => {
  const run = await shareOne(home);
  const whole = "The store has everything that this machine sent: 1 session\n";
  assert.equal(await run(["sync", "check"]), whole);
  loseFile(home);
  assert.equal(
    await run(["sync", "check"]),
    "Sent again, because the store lost or changed them: 1 file\n",
  );
  assert.equal(await run(["sync", "check"]), whole);
});

inHome.test("sync check sends a file again whose bytes changed in the store", async (home) => {
  const run = await shareOne(home);
  const [path = ""] = filesBelow(join(home.path, "share", "v1", "segments"));
  const bytes = Deno.readFileSync(path);
  const changed = bytes.slice();
  changed[0] = (changed[0] ?? 0) ^ 1;
  Deno.writeFileSync(path, changed);
  assert.equal(
    await run(["sync", "check"]),
    "Sent again, because the store lost or changed them: 1 file\n",
  );
  assert.deepEqual(Deno.readFileSync(path), bytes);
  assert.match(await run(["sync", "check"]), /^The store has everything/);
});

inHome.test("sync check fails for a session that is no longer shared, and --json lists it", async (home) => {
  const run = await shareOne(home);
  loseFile(home);
  await run(["sync", "remove"]);
  const { lost } = JSON.parse(await run(["sync", "check", "--json"], 1));
  assert.equal(lost[0].session, sessionId("aaaa1111"));
  assert.match(
    await run(["sync", "check"], 1),
    /^reprise: aaaa1111: the store lost bytes 0 to \d+/,
  );
});

inHome.test("sync check sends a session again whose heads the store lost", async (home) => {
  const run = await shareOne(home);
  const heads = filesBelow(join(home.path, "share", "v1", "heads", "u-ann"));
  assert.equal(heads.length, 1);
  for (const path of heads) Deno.removeSync(path);
  assert.equal(
    await run(["sync", "check"]),
    "Sent again, from the place where the store lost data: aaaa1111\n",
  );
  assert.match(
    await run(["sync", "check"]),
    /^The store has everything that this machine sent: 1 session/,
  );
});
