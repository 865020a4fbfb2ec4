/** Failures between a machine and a store: one clear line each, and no loss. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { sessionFolders } from "../../../lib/core/store/session_folder.ts";
import { type CliHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { snapshot } from "../../_support/store_snapshot.ts";
import {
  expectStatus,
  makeStore,
  onTeam,
  segmentsOf,
  trustEachOther,
} from "../../_support/team_homes.ts";

const ONE = sessionId("aaaa1111");

async function failure(home: CliHome, args: readonly string[]): Promise<string> {
  const { stderr, stdout } = await expectStatus(home, args, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /^reprise: Cannot [^\n]+\n$/);
  return stderr;
}

// Slow: a server has a store, and each wrong address is tried, some by a process.
onTeam.test("a store that is not there, not reached, or not for this member is told in one line", async (team) => {
  const home = team.machine();
  assert.match(await failure(home, ["sync", "join", team.address("ann")]), /no store of sess/);
  await makeStore(team);
  assert.match(
    await failure(home, ["sync", "init", team.address("owner")]),
    /this place already has a store\. To use it: reprise sync join/,
  );
  await team.server.sql("create role eve login; create role zed login");
  assert.match(await failure(home, ["sync", "join", team.address("eve")]), /grant reprise_mem/);
  assert.match(await failure(home, ["sync", "join", team.address("nobody")]), /refuse/);
  const gone = team.address("ann").replace(team.name, "elsewhere");
  assert.match(await failure(home, ["sync", "join", gone]), /has no database elsewhere/);
  assert.throws(() => Deno.statSync(join(home.store, "sync.json")));

  home.keep(ONE, [user("mine")]);
  await expectStatus(home, ["sync", "join", team.address("ann")]);
  await expectStatus(home, ["sync", "add", "--project", "site"]);
  // As another member, this machine is another one; and back.
  for (const role of ["ben", "ann"]) {
    await expectStatus(home, ["sync", "join", team.address(role)]);
  }
  await expectStatus(home, ["sync", "push"]);

  await team.server.sql(`alter database ${team.name} set default_transaction_read_only = on`);
  home.keep(sessionId("bbbb"), [user("more")]);
  const before = snapshot(home.store);
  assert.match(await failure(home, ["sync", "push"]), /is read-only/);
  await team.server.sql(`alter database ${team.name} reset default_transaction_read_only`);
  await team.server.stop();
  for (const action of [["push"], ["pull"], ["withdraw", "aaaa"]]) {
    assert.match(await failure(home, ["sync", ...action]), /cannot be reached/);
  }
  const status = await expectStatus(home, ["sync", "status"], 1);
  const lines = [
    ...["store .+", "machine .+", "key {7}[0-9a-f]{64}", "project {3}site .+redacted copies"],
    ...["last push .+, by sync push: 1 session", "last pull none yet"],
  ];
  assert.match(status.stdout, new RegExp(`^${lines.join("\\n")}\\n$`));
  assert.match(await failure(home, ["list", "--remote"]), /cannot be reached/);
  assert.match(await failure(home, ["show", "team:cccc"]), /cannot be reached/);
  assert.deepEqual([...snapshot(home.store).keys()], [...before.keys()]);
  await team.server.start();
  const pushed = await expectStatus(home, ["sync", "push"]);
  assert.match(pushed.stderr, /^1 session pushed \(1 new\)/);
});

// Slow: a server gets a database with a store.
onTeam.test("a password is used, never kept, and never said", async (team) => {
  await makeStore(team);
  const password = "p@ss/w:rd'%";
  await team.server.sql(`alter role ann password '${password.replaceAll("'", "''")}'`);
  const home = team.machine();
  const host = `127.0.0.1:${team.server.port}/${team.name}`;
  const typed = `postgresql://ann:${encodeURIComponent(password)}@${host}`;
  const joined = await expectStatus(home, ["sync", "join", typed]);
  assert.match(joined.stderr, /^Using the team's store as member ann: postgresql:\/\/ann@127/);
  assert.match(joined.stderr, /Put this line into ~\/\.pgpass, mode 0600:\n {2}127\.0\.0\.1:/);
  const bare = await expectStatus(home, ["sync", "status"], 1);
  assert.match(bare.stderr, /asks for a password; put the password in ~\/\.pgpass/);
  const wrong = await expectStatus(home, ["sync", "join", typed.replace("p%40", "q%40")], 1);
  assert.match(wrong.stderr, /refuses this user/);
  const printer = join(home.path, "printer");
  Deno.writeTextFileSync(printer, `#!/bin/sh\ncat "$0.txt"\n`, { mode: 0o700 });
  Deno.writeTextFileSync(`${printer}.txt`, `${password}\n`);
  const command = ["--password-command", `'${printer}'`];
  await expectStatus(home, ["sync", "join", `postgresql://ann@${host}`, ...command]);
  const status = await expectStatus(home, ["sync", "status", "--json"]);
  assert.equal(JSON.parse(status.stdout).owner, "ann");
  Deno.removeSync(`${printer}.txt`);
  const failed = await expectStatus(home, ["sync", "push"], 1);
  assert.match(failed.stderr, /no project was added/);
  await expectStatus(home, ["sync", "add", "--project", "site"]);
  const refused = await expectStatus(home, ["sync", "push"], 1);
  assert.match(refused.stderr, /Cannot use password_command: printer ended with status 1\n$/);
  const env = { PGPASSWORD: password };
  await expectStatus(home, ["sync", "join", "postgresql://ann@127.0.0.1:1/x"], 1);
  const { status: code } = await home.run(["sync", "join", `postgresql://ann@${host}`], {
    env,
    process: true,
  });
  assert.equal(code, 0);
  const all =
    [joined, bare, wrong, status, failed, refused].map(({ stdout, stderr }) => stdout + stderr)
      .join("") + Deno.readTextFileSync(join(home.store, "sync.json"));
  for (const secret of [password, encodeURIComponent(password), "w:rd"]) {
    assert.ok(!all.includes(secret), secret);
  }
});

// Slow: a server gets a database with a store.
onTeam.test("one's own database is enough for a store, but for the role that an administrator makes", async (team) => {
  const home = team.machine();
  home.keep(ONE, [user("mine")]);
  await team.server.sql("create database mine owner ann");
  const own = team.address("ann").replace(team.name, "mine");
  assert.match(
    await failure(home, ["sync", "init", own]),
    /ann is not allowed to create the role reprise_member; ask an administrator to run once: create role reprise_member; grant reprise_member to ann\n$/,
  );
  await team.server.sql("create role reprise_member; grant reprise_member to ann");
  await expectStatus(home, ["sync", "init", own]);
  await expectStatus(home, ["sync", "add", "--project", "site"]);
  const pushed = await expectStatus(home, ["sync", "push"]);
  assert.match(pushed.stderr, /^1 session pushed/);
  await team.server.sql("create role maker login createrole");
  await team.server.sql("create database hers owner maker");
  const hers = team.address("maker").replace(team.name, "hers");
  const other = team.machine();
  other.keep(ONE, [user("hers")]);
  await team.server.sql("revoke reprise_member from ann");
  await expectStatus(other, ["sync", "init", hers]);
  await expectStatus(other, ["sync", "add", "--project", "site"]);
  assert.match((await expectStatus(other, ["sync", "push"])).stderr, /^1 session pushed/);
});

/** Fails as the server does when its disk is full. */
const FULL = `create function public.full() returns trigger language plpgsql as
    $$ begin raise sqlstate '53100' using message = 'could not extend file'; end $$;
  create trigger full_disk before insert on reprise.object execute function public.full()`;

// Slow: a server gets a database with a store.
onTeam.test("a full disk and a statement that is cut off lose nothing, and the next push completes", async (team) => {
  await makeStore(team);
  const home = team.machine();
  home.keep(ONE, [user("mine")]);
  await expectStatus(home, ["sync", "join", team.address("ann")]);
  await expectStatus(home, ["sync", "add", "--project", "site"]);
  await team.sql(FULL);
  const before = snapshot(home.store);
  assert.match(
    await failure(home, ["sync", "push"]),
    /the disk of .+ is full; sessions that are already pushed/,
  );
  // What is known of the store may be written; sessions and settings stay.
  const after = snapshot(home.store);
  const kept = before.filter((line) => /^(?:sessions|sync[.])/.test(line));
  assert.deepEqual(kept.filter((line) => !after.includes(line)), []);
  await team.sql(`create or replace function public.full() returns trigger language plpgsql as
        $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`);
  assert.match(
    await failure(home, ["sync", "push"]),
    /does not accept the connection|cannot be reached/,
  );
  assert.equal(await segmentsOf(team), 0);
  await team.sql("drop trigger full_disk on reprise.object");
  assert.match((await expectStatus(home, ["sync", "push"])).stderr, /^1 session pushed/);
});

// Slow: a server gets a database with a store.
onTeam.test("characters that a database cannot hold arrive in the session, and lists show a mark for them", async (team) => {
  await makeStore(team);
  const event =
    '{"kind":"user_message","payload":{"content":"NUL \\u0000, half \\ud83d, bell \\u0007"}}';
  const [laptop, desktop] = [team.machine(), team.machine()];
  const recorded = await laptop.run(["record"], { stdin: `${event}\n` });
  assert.equal(recorded.status, 0, recorded.stderr);
  for (const home of [laptop, desktop]) {
    await expectStatus(home, ["sync", "join", team.address("ann")]);
    await expectStatus(home, ["sync", "add", "--project", "site", "--exact", "--yes"]);
  }
  await trustEachOther(laptop, desktop);
  await expectStatus(laptop, ["sync", "push"]);
  const listed = await expectStatus(desktop, ["list", "--remote"]);
  assert.match(listed.stdout, /NUL .+, half .+, bell/);
  for (const odd of ["\0", "\x07", "\ud83d"]) assert.ok(!listed.stdout.includes(odd));
  await expectStatus(desktop, ["sync", "pull"]);
  const bytes = (home: CliHome): string[] =>
    sessionFolders(home.store).map(({ path }) => Deno.readTextFileSync(path));
  assert.deepEqual(bytes(desktop), bytes(laptop));
  assert.ok(bytes(desktop)[0]?.includes("NUL \\u0000, half \ufffd, bell \\u0007"));
});
