/** Members, their machines, and a real PostgreSQL: the command lines of a team, one after the other. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { sessionFolders } from "../../../lib/core/store/session_folder.ts";
import { jsonLines } from "../../_support/cli.ts";
import { type CliHome, sessionId } from "../../_support/cli_home.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { POSTGRES } from "../../_support/postgres.ts";
import {
  continueSession,
  expectStatus,
  makeStore,
  nameMachine,
  segmentsOf,
  setRemote,
  type TeamHomes,
  trustEachOther,
  withTeamServer,
} from "../../_support/team_homes.ts";
import { needing } from "../../_support/needing.ts";
import { withSharedPaths } from "../../_support/shared_paths.ts";

const SECRET = "AKIA" + "IOSFODNN7EXAMPLQ";
const REMOTE = "git@example.com:acme/site.git";
const [ONE, OTHER] = [sessionId("aaaa1111"), sessionId("bbbb2222")];

function logs(home: CliHome): Map<string, string> {
  return new Map(
    sessionFolders(home.store).map(({ session_id, path }) => [
      session_id,
      Deno.readTextFileSync(path),
    ]),
  );
}

async function told(home: CliHome, args: readonly string[]): Promise<string> {
  return (await expectStatus(home, args)).stderr;
}

/** Each in a database of its own; a server takes longer to start than most of them. */
const STORIES: Record<string, (team: TeamHomes) => Promise<void>> = {
  "a session goes from the laptop to the desktop, byte for byte, and back": async (team) => {
    await makeStore(team);
    const [laptop, desktop] = [team.machine(), team.machine()];
    laptop.keep(ONE, [user("Why zebra?"), assistant("Because.")]);
    laptop.keep(OTHER, [user("not shared")], { cwd: join(laptop.path, "private") });
    for (const home of [laptop, desktop]) {
      await expectStatus(home, ["sync", "join", team.address("ann")]);
      await expectStatus(home, ["sync", "add", "--project", "site", "--exact", "--yes"]);
    }
    await trustEachOther(laptop, desktop);
    assert.equal(await segmentsOf(team), 0);
    const pushed = await told(laptop, ["sync", "push"]);
    assert.match(pushed, /^1 session pushed \(1 new\), \d+ B, [\d.]+ KB sent\n$/);
    assert.equal(await told(laptop, ["sync", "push"]), "Nothing new: 1 session shared\n");
    const pulled = await told(desktop, ["sync", "pull"]);
    assert.match(
      pulled,
      /^1 session updated on this machine \(1 of them new here\): \d+ B, [\d.]+ K?B received\n/,
    );
    assert.match(
      pulled,
      new RegExp(`On this machine, sessions from ${laptop.work} are listed under ${desktop.work}`),
    );
    assert.equal(logs(desktop).get(ONE), logs(laptop).get(ONE));
    const [row] = jsonLines((await expectStatus(desktop, ["list", "--json"])).stdout);
    assert.deepEqual([row?.session_id, row?.title, row?.cwd], [ONE, "Why zebra?", desktop.work]);
    assert.equal(await told(desktop, ["sync", "pull"]), "Nothing new\n");
    // One's own session that is here is itself, also by its name in the store.
    const path = (await expectStatus(desktop, ["path", "team:aaaa"])).stdout.trim();
    const named = await expectStatus(desktop, ["path", "team:ann/aaaa"]);
    assert.equal(named.stdout.trim(), path);
    assert.ok(path.startsWith(join(desktop.store, "sessions")));
    await continueSession(desktop, ONE, "And then?");
    assert.match(
      await told(desktop, ["sync", "push"]),
      /^1 session pushed, \d+ B, [\d.]+ K?B sent\n$/,
    );
    assert.match(
      await told(laptop, ["sync", "pull"]),
      /^1 session updated on this machine \(0 of them new here\): /,
    );
    assert.equal(logs(desktop).get(ONE), logs(laptop).get(ONE));
  },
  "what an unknown machine wrote waits, until its machine is trusted": async (
    team,
  ) => {
    await makeStore(team);
    const [laptop, desktop] = [team.machine(), team.machine()];
    laptop.keep(ONE, [user("Why zebra?"), assistant("Because.")]);
    for (const home of [laptop, desktop]) {
      await expectStatus(home, ["sync", "join", team.address("ann")]);
      await expectStatus(home, ["sync", "add", "--project", "site", "--exact", "--yes"]);
    }
    const { stderr: keyed } = await expectStatus(laptop, ["sync", "trust"]);
    const [key = ""] = /[0-9a-f]{64}/.exec(keyed) ?? [];
    const { stdout: status } = await expectStatus(laptop, ["sync", "status"]);
    assert.ok(key !== "" && status.includes(`key       ${key}\n`));
    await expectStatus(laptop, ["sync", "push"]);

    const pulled = await told(desktop, ["sync", "pull"]);
    assert.match(
      pulled,
      /^1 readable as team:…: .+\nNot added to your sessions, .+: team:aaaa1111\n/,
    );
    assert.match((await expectStatus(desktop, ["show", "team:aaaa"])).stdout, /Why zebra\?/);
    const waiting = (await expectStatus(desktop, ["sync", "status"])).stdout;
    assert.match(waiting, /^untrusted team:aaaa1111 {2}.+: reprise fork team:aaaa1111$/m);
    assert.equal(logs(desktop).size, 0);
    const trusted = await told(desktop, ["sync", "trust", key.toUpperCase()]);
    assert.equal(trusted, "Trusted: this key\n");
    assert.equal((await expectStatus(desktop, ["sync", "trust"])).stdout, `${key}\n`);
    assert.match(
      await told(desktop, ["sync", "pull"]),
      /^1 session updated on this machine \(1 of them new here\)/,
    );
    assert.equal(logs(desktop).get(ONE), logs(laptop).get(ONE));
    await expectStatus(desktop, ["sync", "trust", "--remove", key]);
    await expectStatus(desktop, ["sync", "trust", "--remove", key], 1);
    await expectStatus(desktop, ["sync", "trust", "nonsense"], 2);
    assert.equal((await expectStatus(desktop, ["sync", "trust"])).stdout, "");
    await expectStatus(desktop, ["sync", "join", team.address("ann"), "--trust", key]);
    assert.equal((await expectStatus(desktop, ["sync", "trust"])).stdout, `${key}\n`);
  },
  "a member reads redacted copies of another's sessions, and finds and forks them": async (
    team,
  ) => {
    await makeStore(team);
    const [ann, ben] = [team.machine(), team.machine()];
    setRemote(ann.work, REMOTE);
    setRemote(ben.work, REMOTE.replace("git@example.com:", "https://ben@example.com/"));
    ann.keep(ONE, [user(`Why zebra? ${SECRET}`), assistant("Because.")]);
    for (const [home, role] of [[ann, "ann"], [ben, "ben"]] as const) {
      await expectStatus(home, ["sync", "join", team.address(role)]);
      await expectStatus(home, ["sync", "add"]);
    }
    await expectStatus(ann, ["sync", "push"]);
    const pulled = await told(ben, ["sync", "pull"]);
    assert.match(pulled, /^1 readable as team:…: \d+ B, [\d.]+ K?B received\n$/);
    const { stdout: hits } = await expectStatus(ben, ["search", "zebra", "--json"]);
    assert.deepEqual(jsonLines(hits).map(({ ref, seq }) => [ref, seq]), [[`team:ann/${ONE}`, 2]]);
    const { stdout } = await expectStatus(ben, ["show", "team:aaaa"]);
    assert.match(stdout, /Why zebra\? /);
    assert.doesNotMatch(stdout, new RegExp(SECRET));
    const fork = (await expectStatus(ben, ["fork", "team:ann/aaaa"])).stdout.trim();
    const [row] = jsonLines((await expectStatus(ben, ["list", "--json"])).stdout);
    assert.deepEqual([row?.session_id, row?.cwd], [fork, ben.work]);
    // The copy is what an export writes.
    const exported = await expectStatus(ann, ["export", ONE, "--format", "jsonl", "--redact"]);
    const path = (await expectStatus(ben, ["path", "team:aaaa"])).stdout.trim();
    const shared = withSharedPaths(exported.stdout, ann.work, "example.com/acme/site");
    assert.equal(Deno.readTextFileSync(path), shared);
  },
  "where both machines went on, both ends stay, and status says how to compare them": async (
    team,
  ) => {
    await makeStore(team);
    const [laptop, desktop] = [team.machine(), team.machine()];
    laptop.keep(ONE, [user("Why zebra?"), assistant("Because.")]);
    for (const [home, label] of [[laptop, "laptop"], [desktop, "desktop"]] as const) {
      await expectStatus(home, ["sync", "join", team.address("ann")]);
      nameMachine(home, label);
      await expectStatus(home, ["sync", "add", "--project", "site", "--exact", "--yes"]);
    }
    await trustEachOther(laptop, desktop);
    await expectStatus(laptop, ["sync", "push"]);
    await expectStatus(desktop, ["sync", "pull"]);
    await continueSession(laptop, ONE, "Only the laptop asks");
    await continueSession(desktop, ONE, "Only the desktop asks");
    await expectStatus(laptop, ["sync", "push"]);
    const pushed = await told(desktop, ["sync", "push"]);
    assert.match(
      pushed,
      /^Session aaaa1111 was continued on two machines, .+ team:aaaa1111@2; /m,
    );
    const before = logs(desktop).get(ONE);
    const pulled = await told(desktop, ["sync", "pull"]);
    assert.match(
      pulled,
      /^Another machine also continued .+ reprise diff aaaa1111 team:aaaa1111$/m,
    );
    assert.equal(logs(desktop).get(ONE), before);
    const { stdout: status } = await expectStatus(desktop, ["sync", "status"]);
    assert.match(
      status,
      /^on two machines {2}aaaa1111 {2}here: #\d+ \(desktop\), there: team:aaaa1111 #\d+ \(laptop\); compare: reprise diff aaaa1111 team:aaaa1111$/m,
    );
    const { stdout: compared } = await expectStatus(desktop, ["diff", "aaaa", "team:aaaa"]);
    assert.match(compared, /^A . Only the desktop asks$/m);
    assert.match(compared, /^B . Only the laptop asks$/m);
    // What both have is found once, and each end is found.
    for (
      const [query, refs] of [
        ["zebra", [ONE]],
        ["desktop", [ONE]],
        ["laptop", [`team:${ONE}`]],
      ] as const
    ) {
      const { stdout } = await expectStatus(desktop, ["search", query, "--json"]);
      assert.deepEqual(jsonLines(stdout).map(({ ref }) => ref), [...refs], query);
    }
    const { stdout: remote } = await expectStatus(desktop, ["list", "--remote", "--json"]);
    assert.deepEqual(jsonLines(remote).map(({ ref, device }) => [ref, device]).sort(), [
      [`team:${ONE}`, "laptop"],
      [`team:${ONE}@2`, "desktop"],
    ]);
    assert.equal((await expectStatus(laptop, ["conversation", "team:aaaa@2"])).status, 0);
  },
  "list --remote shows without downloading, show pulls one, and withdraw takes it back": async (
    team,
  ) => {
    await makeStore(team);
    const [ann, ben] = [team.machine(), team.machine()];
    setRemote(ann.work, REMOTE);
    setRemote(ben.work, REMOTE);
    ann.keep(ONE, [user("Why zebra?")]);
    ann.keep(OTHER, [user("Why not?")]);
    await expectStatus(ann, ["sync", "join", team.address("ann")]);
    nameMachine(ann, "laptop");
    await expectStatus(ann, ["sync", "add"]);
    await expectStatus(ann, ["sync", "push"]);
    await expectStatus(ben, ["sync", "join", team.address("ben")]);
    const { stdout } = await expectStatus(ben, ["list", "--remote", "--json"]);
    assert.deepEqual(
      jsonLines(stdout).map(({ ref, owner, device, title }) => [ref, owner, device, title])
        .sort(),
      [
        [`team:ann/${ONE}`, "ann", "laptop", "Why zebra?"],
        [`team:ann/${OTHER}`, "ann", "laptop", "Why not?"],
      ],
    );
    const { stdout: table } = await expectStatus(ben, ["list", "--remote", "-n", "1"]);
    assert.equal(table.trim().split("\n").length, 2);
    assert.throws(() => Deno.statSync(join(ben.store, "remote")));
    assert.match((await expectStatus(ben, ["show", "team:aaaa"])).stdout, /Why zebra\?/);
    const { stdout: forked } = await expectStatus(ben, ["fork", "team:ann/bbbb#2"]);
    assert.match(forked, /^[0-9a-f-]{36}\n$/);
    const refused = await expectStatus(ben, ["sync", "withdraw", "team:ann/aaaa"], 1);
    assert.match(refused.stderr, /Cannot withdraw team:ann\/aaaa: ann shares this session/);
    const deleted = await told(ann, ["delete", "aaaa"]);
    assert.match(deleted, /^The team's store still has a copy\. .+ sync withdraw aaaa1111$/m);
    const withdrawn = await told(ann, ["sync", "withdraw", "aaaa1111", "team:bbbb"]);
    assert.match(withdrawn, /^Withdrawn: aaaa1111\nWithdrawn: bbbb2222\n/);
    assert.equal(await segmentsOf(team), 0);
    assert.match(await told(ann, ["sync", "push"]), /^Nothing new/);
    const { stdout: left } = await expectStatus(ben, ["list", "--remote", "--all", "--json"]);
    assert.equal(left, "");
    const gone = await expectStatus(ben, ["show", `team:ann/${sessionId("cccc")}`], 1);
    assert.match(
      gone.stderr,
      /in the team's store; to list the store's sessions: reprise list --remote\n$/,
    );
  },
  "P8 nothing of a project that was not added is ever in the store, whatever is asked for": async (
    team,
  ) => {
    await makeStore(team);
    const home = team.machine();
    const other = join(home.path, "other");
    Deno.mkdirSync(other);
    home.keep(ONE, [user("shared zebra")]);
    home.keep(OTHER, [user("private giraffe")], { cwd: other });
    await expectStatus(home, ["sync", "join", team.address("ann")]);
    await expectStatus(home, ["sync", "add", "--project", "site", "--exact", "--yes"]);
    // Words of both, a title of the other, and every command that talks with the store.
    for (const args of [["rename", "bbbb", "giraffe title"], ["archive", "bbbb"]]) {
      await expectStatus(home, args);
    }
    for (const args of [["push"], ["pull"], ["pull", "--all"], ["status"], ["push"]]) {
      await expectStatus(home, ["sync", ...args]);
    }
    await expectStatus(home, ["show", "team:bbbb"], 1);
    await expectStatus(home, ["sync", "withdraw", "bbbb"], 1);
    await expectStatus(home, ["list", "--remote", "--all"]);
    const all = await team.sql("select key, encode(bytes, 'escape') from reprise.object");
    assert.match(all, new RegExp(ONE));
    assert.match(all, /shared zebra/);
    assert.doesNotMatch(all, /giraffe|bbbb2222/);
    assert.doesNotMatch(all, new RegExp(home.path));
    // A segment's key has its length.
    const bytes = await team.sql(
      `select sum(split_part(split_part(key, '/', 7), '-', 2)::int) from reprise.object
       where key like 'v1/segments/%'`,
    );
    assert.equal(Number(bytes), logs(home).get(ONE)?.length);
  },
};

// Slow: each of six stories has a database and a store.
Deno.test(needing("sync, as a team uses it", POSTGRES), async (test) => {
  await withTeamServer(async (newTeam) => {
    for (const [name, story] of Object.entries(STORIES)) {
      await test.step(name, async () => await story(await newTeam()));
    }
  });
});
