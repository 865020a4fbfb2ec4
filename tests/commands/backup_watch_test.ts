import assert from "node:assert/strict";
import { factsIn } from "../../lib/library/catalogue/facts_file.ts";
import { dirname, join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, inHome } from "../_support/cli_home.ts";
import { ORDINARY_USER, whileUnwritable } from "../_support/unwritable.ts";
import { answerInPi, keepPiSession } from "./_pi_session.ts";
import { needing, UNIX } from "../_support/needing.ts";
import { settle } from "../_support/settle.ts";

interface Listed {
  ref: string;
  standing: boolean;
  source: string;
  generations: { number: number; bytes: number; path: string }[];
}

async function listed(home: CliHome): Promise<Listed[]> {
  const { stdout } = await home.succeed(["backup", "list", "--json"]);
  return jsonLines(stdout) as Listed[];
}

inHome.test("backup --watch keeps sessions until ^C; backups are listed, shown and restored", async (home) => {
  const { path, ref } = keepPiSession(home, "1111aaaa", "Asked of pi. ".repeat(2000));
  const watch = home.start(["backup", "--watch", "--json"]);
  await watch.until('"caught-up"');
  answerInPi(path, 5);
  await watch.until('"generation":1');
  const whole = Deno.readTextFileSync(path);
  Deno.removeSync(dirname(path), { recursive: true });
  await watch.until('"gone"');
  watch.kill("SIGINT");
  const { status, stderr } = await watch.end();
  assert.deepEqual([status, stderr], [130, ""]);
  // The watch may have packed it before it ended.
  assert.equal((await home.run(["backup", "prune", "--write"])).status, 0);
  const [backup] = await listed(home);
  assert.deepEqual([backup?.ref, backup?.standing, backup?.source], [ref, false, path]);
  const [list, table, shown, exported, packed, resumed] = await home.runInOrder([
    ["list", "--agent", "pi", "--all"],
    ["backup", "list"],
    ["show", ref],
    ["export", ref, "--format", "jsonl"],
    ["path", ref],
    ["resume", "--print", ref],
  ]);
  assert.match(list?.stdout ?? "", /Asked of pi/);
  assert.match(
    table?.stdout ?? "",
    /^session +generation.*\npi:1111aaaa +1 .*its agent deleted the session\n$/,
  );
  assert.match(
    table?.stderr ?? "",
    /^1 session backed up: .* KB in .*\. Agents have deleted 1 of the original sessions/,
  );
  assert.match(shown?.stdout ?? "", /Answered by pi/);
  assert.match(exported?.stdout ?? "", /Answered by pi/);
  assert.match(packed?.stdout ?? "", /\.jsonl\.packed\.zst\n$/);
  const named = await home.run(["show", packed?.stdout.trim() ?? ""]);
  assert.deepEqual([named.status, named.stdout], [0, shown?.stdout]);
  assert.match(resumed?.stderr ?? "", /restore the backup: reprise backup restore pi:1111aaaa/);
  const dry = await home.run(["backup", "restore", ref, "--dry-run"]);
  assert.match(dry.stderr, /^Would restore pi:1111aaaa, generation 1: 1 file, /);
  const restored = await home.run(["backup", "restore", ref]);
  assert.deepEqual([restored.status, restored.stdout], [0, `${path}\n`]);
  assert.match(
    restored.stderr,
    /^Restored .*\nTo continue the session: reprise resume pi:1111aaaa\n$/,
  );
  assert.equal(Deno.readTextFileSync(path), whole);
  const again = await home.run(["backup", "restore", ref]);
  assert.equal(again.status, 1);
  assert.match(again.stderr, /a file exists there, and was not overwritten: .*\n.*--out PATH/);
});

inHome.test("backup --watch makes the store, and puts nothing derived into it", async (home) => {
  keepPiSession(home);
  await settle();
  const watch = home.talk(["backup", "--watch", "--json"]);
  await watch.until('"caught-up"');
  assert.equal((await home.run(["list", "--all"])).status, 0);
  watch.kill("SIGINT");
  await watch.end();
  const store = [...Deno.readDirSync(home.store)].map(({ name }) => name);
  assert.ok(store.includes("backups"));
  assert.deepEqual(store.filter((name) => /^(?:catalogue|index)/.test(name)), []);
  assert.equal(factsIn(home.cache).length, 1);
});

Deno.test(needing("a service is stopped by SIGTERM, which is no failure", UNIX), async () => {
  await using home = new CliHome();
  const { path } = keepPiSession(home);
  const watch = home.start(["backup", "--watch", "--agent", "pi"]);
  await watch.until("pi:1111aaaa  kept, ");
  const second = await home.run(["backup", "--watch"]);
  assert.equal(second.status, 1);
  assert.match(second.stderr, /^reprise: Cannot watch sessions to back them up: process \d+ on /);
  watch.kill("SIGTERM");
  const { status, stderr } = await watch.end();
  assert.equal(status, 0);
  assert.match(stderr, /^(?:Watching 1 session, .* new; \^C ends\n)?$/);
  // The copies hold what the sessions hold: nobody else may read them.
  const copy = (await listed(home))[0]?.generations[0]?.path ?? "";
  assert.equal(Deno.readTextFileSync(copy), Deno.readTextFileSync(path));
  assert.equal((Deno.statSync(copy).mode ?? 0) & 0o777, 0o600);
});

Deno.test(
  needing("killed while it copies, a watch leaves whole copies, and catches up", UNIX),
  async () => {
    await using home = new CliHome();
    const folder = dirname(keepPiSession(home).path);
    const record = `{"type":"message","id":"x","parentId":"a1","text":"${"x".repeat(1000)}"}\n`;
    for (let index = 0; index < 12; index++) {
      const { path } = keepPiSession(home, `2222bb${index + 10}`);
      Deno.writeTextFileSync(path, record.repeat(index * 60), { append: true });
    }
    // Each time it is killed a little later.
    for (let round = 1; round <= 3; round++) {
      const watch = home.start(["backup", "--watch", "--json"]);
      let line: string | undefined = "";
      for (let seen = 0; seen < round * 3 && !line?.includes("caught-up"); seen++) {
        line = await watch.line();
      }
      watch.kill("SIGKILL");
      await watch.end();
      for (const { source, generations } of await listed(home)) {
        assert.equal(generations.length, 1);
        const kept = Deno.readFileSync(generations[0]?.path ?? "").subarray(
          0,
          generations[0]?.bytes,
        );
        assert.deepEqual(kept, Deno.readFileSync(source).subarray(0, kept.length));
      }
      answerInPi(join(folder, "2026-11-21T20-00-00-000Z_2222bb10.jsonl"), round);
    }
    const watch = home.talk(["backup", "--watch", "--json"]);
    await watch.until('"caught-up"');
    watch.kill("SIGTERM");
    await watch.end();
    const backups = await listed(home);
    assert.equal(backups.length, 13);
    for (const { source, generations } of backups) {
      assert.equal(generations.length, 1);
      assert.deepEqual(Deno.readFileSync(generations[0]?.path ?? ""), Deno.readFileSync(source));
    }
  },
);

inHome.test("backup refuses conflicting options, and names missing sessions", async (home) => {
  const lines = [
    ["backup", "--watch", "claude:3f2a"],
    ["backup", "--watch", "--all"],
    ["backup", "--watch", "--dry-run"],
    ["backup", "--watch", "--agent", "nobody"],
    ["backup", "service", "--systemd", "--schtasks"],
    ["backup", "restore"],
    ["backup", "restore", "claude:3f2a", "--generation", "no"],
  ];
  for (const line of lines) {
    const { status, stdout, stderr } = await home.run(line);
    assert.deepEqual([status, stdout], [2, ""], `${line}: ${stderr}`);
  }
  const missing = await home.run(["backup", "restore", "claude:3f2a"]);
  assert.deepEqual([missing.status, missing.stderr], [
    1,
    'reprise: Cannot find a backup of "claude:3f2a"; see: reprise backup list\n',
  ]);
  const none = await home.run(["backup", "list"]);
  assert.deepEqual([none.status, none.stdout], [0, ""]);
  assert.match(
    none.stderr,
    /^No backups yet\nTo back up sessions continuously: reprise backup --watch\n$/,
  );
});

Deno.test(needing("a store that cannot be written is told at once", ORDINARY_USER), async () => {
  await using home = new CliHome();
  keepPiSession(home);
  Deno.mkdirSync(home.store);
  await whileUnwritable(home.store, async () => {
    const { status, stderr } = await home.run(["backup", "--watch"]);
    assert.equal(status, 1);
    assert.match(stderr, /^reprise: Cannot back up sessions: .*(?:read-only|permission denied)/);
  });
});

inHome.test("backup service prints a unit with the program's own path", async (home) => {
  const [systemd, launchd, task] = await home.runInOrder([
    ["backup", "service", "--systemd"],
    ["backup", "service", "--launchd"],
    ["backup", "service", "--schtasks"],
  ]);
  assert.match(task?.stdout ?? "", /set "REPRISE_HOME=.* backup --watch"<\/Arguments>/);
  assert.match(systemd?.stdout ?? "", /^ExecStart="?(?:\/|[A-Z]:).* backup --watch$/m);
  assert.match(systemd?.stdout ?? "", /^Environment="?REPRISE_HOME=/m);
  assert.match(launchd?.stdout ?? "", /<string>backup<\/string>\n {4}<string>--watch<\/string>/);
});
