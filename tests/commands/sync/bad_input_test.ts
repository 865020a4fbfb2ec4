/** Failures between a machine and a store: one clear line each, and no loss. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type CliHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { snapshot } from "../../_support/store_snapshot.ts";
import { expectStatus, makeStore, onTeam } from "../../_support/team_homes.ts";

const ONE = sessionId("aaaa1111");

async function failure(home: CliHome, args: readonly string[]): Promise<string> {
  const { stderr, stdout } = await expectStatus(home, args, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /^reprise: Cannot [^\n]+\n$/);
  return stderr;
}

const ONCE = ["--project", "site", "--yes", "--once"];

function sharing(address: string): string[] {
  return ["sync", "team", address, ...ONCE];
}

// Slow: a server has a store, and each wrong address is tried, some by a process.
onTeam.test("a store that is not there, not reached, or not for this member is told in one line", async (team) => {
  const home = team.machine();
  assert.match(await failure(home, sharing(team.address("ann"))), /^reprise: Cannot make a store/);
  await makeStore(team);
  await team.server.sql("create role eve login; create role zed login");
  assert.match(await failure(home, sharing(team.address("eve"))), /grant reprise_mem/);
  assert.match(await failure(home, sharing(team.address("nobody"))), /refuse/);
  const gone = team.address("ann").replace(team.name, "elsewhere");
  assert.match(await failure(home, sharing(gone)), /has no database elsewhere/);
  assert.throws(() => Deno.statSync(join(home.store, "sync.json")));

  home.keep(ONE, [user("mine")]);
  await expectStatus(home, sharing(team.address("ann")));
  await team.server.sql(`alter database ${team.name} set default_transaction_read_only = on`);
  home.keep(sessionId("bbbb"), [user("more")]);
  assert.match((await expectStatus(home, ["sync", "push"], 1)).stderr, /is read-only/);
  await team.server.sql(`alter database ${team.name} reset default_transaction_read_only`);
  await team.server.stop();
  for (const action of [["push"], ["pull"], ["withdraw", "aaaa"]]) {
    assert.match(await failure(home, ["sync", ...action]), /cannot be reached/);
  }
  const state = await expectStatus(home, ["sync"]);
  assert.match(state.stdout, /^last push .+, by sync push: 0 sessions$/m);
  assert.match(await failure(home, ["show", "team:cccc"]), /among the pulled sessions/);
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
  const refused = await expectStatus(home, sharing(typed), 2);
  assert.match(refused.stderr, /Put this line into ~\/\.pgpass, mode 0600: 127\.0\.0\.1:/);
  const bare = await expectStatus(home, sharing(`postgresql://ann@${host}`), 1);
  assert.match(bare.stderr, /asks for a password; put the password in ~\/\.pgpass/);
  const printer = join(home.path, "printer");
  Deno.writeTextFileSync(printer, `#!/bin/sh\ncat "$0.txt"\n`, { mode: 0o700 });
  Deno.writeTextFileSync(`${printer}.txt`, `${password}\n`);
  const command = ["--password-command", `'${printer}'`];
  const joined = await expectStatus(home, [...sharing(`postgresql://ann@${host}`), ...command]);
  assert.match(joined.stderr, /^Using the team's store as member ann: postgresql:\/\/ann@127/m);
  Deno.removeSync(`${printer}.txt`);
  const failed = await expectStatus(home, ["sync", "push"], 1);
  assert.match(failed.stderr, /Cannot use password_command: printer ended with status 1\n$/);
  const all =
    [joined, bare, refused, failed].map(({ stdout, stderr }) => stdout + stderr).join("") +
    Deno.readTextFileSync(join(home.store, "sync.json"));
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
    await failure(home, sharing(own)),
    /ann is not allowed to create the role reprise_member; ask an administrator to run once: create role reprise_member; grant reprise_member to ann\n$/,
  );
  await team.server.sql("create role reprise_member; grant reprise_member to ann");
  assert.match((await expectStatus(home, sharing(own))).stderr, /^1 session pushed/m);
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
  await expectStatus(home, sharing(team.address("ann")));
  await expectStatus(home, ["sync", "withdraw", "aaaa"]);
  home.keep(sessionId("bbbb"), [user("more")]);
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
  assert.equal(await team.sql("select count(*) from reprise.object where key ~ 'copies'"), "0");
  await team.sql("drop trigger full_disk on reprise.object");
  assert.match((await expectStatus(home, ["sync", "push"])).stderr, /^1 session pushed/);
});
