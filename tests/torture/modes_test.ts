/** Modes of what is made: private from the first moment on, whatever the umask. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { CommandRun } from "../_support/children/commands_child.ts";
import { cliEnvironment } from "../_support/cli.ts";
import { CliHome } from "../_support/cli_home.ts";
import { commandsInOne, tracedInOne } from "../_support/commands_in_one.ts";
import { user } from "../_support/log_bytes.ts";
import { STRACE } from "../_support/strace.ts";
import { keepPiSession } from "../commands/_pi_session.ts";
import { needing, UNIX } from "../_support/needing.ts";

/** Runs command lines in a process that has a umask. */
async function underUmask(home: CliHome, umask: string, lines: string[][]): Promise<void> {
  const input = '{"kind":"user_message","payload":{"content":"hi"}}\n';
  const words = commandsInOne({ lines: lines.map((args) => ({ args, input })) });
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", `umask ${umask}; exec "$@"`, "sh", ...words],
    cwd: home.work,
    env: cliEnvironment({ home: home.path }),
    clearEnv: true,
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  const runs: CommandRun[] = JSON.parse(new TextDecoder().decode(stdout));
  for (const [index, { status, stderr }] of runs.entries()) {
    assert.equal(status, 0, `${lines[index]?.join(" ")}: ${stderr}`);
  }
}

/** Files and folders below a path whose mode is not 0600 or 0700. */
function lax(path: string): { seen: number; found: string[] } {
  const { mode, isDirectory } = Deno.lstatSync(path);
  const wanted = isDirectory ? 0o700 : 0o600;
  const own = ((mode ?? 0) & 0o777) === wanted
    ? []
    : [`${path} ${((mode ?? 0) & 0o777).toString(8)}`];
  const below = isDirectory
    ? [...Deno.readDirSync(path)].map(({ name }) => lax(join(path, name)))
    : [];
  return {
    seen: 1 + below.reduce((sum, { seen }) => sum + seen, 0),
    found: [...own, ...below.flatMap(({ found }) => found)],
  };
}

const FORMATS = ["jsonl", "json", "html", "md", "text", "atif", "sts", "otlp"];

for (const umask of ["000", "077"]) {
  // Slow: a umask is one of a process, and the store is filled in two.
  Deno.test(
    needing(`files are made 0600 and folders 0700 under umask ${umask}`, UNIX),
    async () => {
      await using home = new CliHome();
      // The parents are made by the program as well.
      const env = cliEnvironment({ home: home.path });
      assert.equal(env.REPRISE_HOME, home.store);
      await underUmask(home, umask, [
        ["record", "--title", "One"],
        ["record", "--title", "Two"],
        ["config", "set", "session.retention_days", "30"],
      ]);
      const { stdout } = await home.run(["list", "--json"]);
      const [one, two] = stdout.trim().split("\n").map((line) => JSON.parse(line).ref);
      const held = home.talk(["record", "--resume", one]);
      await held.write('{"kind":"user_message","payload":{"content":"on"}}\n');
      await held.until("seq");
      const { ref } = keepPiSession(home);
      await underUmask(home, umask, [
        ...[["rename", one, "Marked"], ["fork", one], ["merge", one, two], ["delete", two]],
        ...[["import", ref], ["backup", ref], ["index", "build"], ["relink", "/gone", "."]],
        ["repair", one, "--out", "out.repaired"],
        ...FORMATS.map((format) => ["export", one, "--format", format, "--out", `out.${format}`]),
      ]);
      const [{ seen, found }, cached] = [lax(home.store), lax(dirname(home.cache))];
      assert.deepEqual([...found, ...cached.found], []);
      assert.ok(cached.seen > 4 && seen >= 30, `${seen} files and folders`);
      for (const part of ["trash", "marks.jsonl"]) {
        assert.ok(lax(join(home.store, part)).seen > 0, part);
      }
      for (const format of [...FORMATS, "repaired"]) {
        assert.deepEqual(lax(join(home.work, `out.${format}`)), { seen: 1, found: [] });
      }
      await held.endInput();
      await held.end();
    },
  );
}

// Slow: the calls of commands are traced in a process.
Deno.test(needing("no file is ever wider than it ends, not for a moment", STRACE), async () => {
  await using home = new CliHome();
  const { id } = home.keep("aaaa0000-0000-4000-8000-000000000001", [user("p")]);
  const { ref } = keepPiSession(home);
  const lines = [["rename", id, "Title"], ["fork", id], ["backup", ref], ["index", "build"], [
    ...["export", id, "--out", "out.html"],
  ]];
  const trace = ["-s", "4096", "-e", "trace=openat,mkdir,chmod,fchmod,fchmodat"];
  const runs = await tracedInOne(home, lines.map((args) => ({ args })), trace);
  for (const [index, { calls, status }] of runs.entries()) {
    const args = lines[index] ?? [];
    assert.equal(status, 0, args.join(" "));
    const ours = calls.filter((call) => call.includes(`"${home.path}/`));
    const made = new Map<string, string>();
    for (const call of ours.filter((call) => call.includes("O_CREAT"))) {
      const [, path = ""] = /"([^"]*)"/.exec(call) ?? [];
      // SQLite opens with a mode of its own what is there already.
      if (!made.has(path)) made.set(path, call);
    }
    assert.ok(made.size > 0, args.join(" "));
    for (const [path, call] of made) {
      // A journal of SQLite may be replaced, and has the mode of its database.
      const wanted = path.endsWith("-journal") ? /, 0600\)/ : /O_EXCL.*, 0600\)/;
      assert.match(call, wanted, args.join(" "));
    }
    const folders = ours.filter((call) => / mkdir\(/.test(call));
    assert.deepEqual(folders.filter((call) => !call.includes(", 0700)")), [], args.join(" "));
    const changed = ours.filter((call) => call.includes("chmod"));
    assert.deepEqual(changed.filter((call) => !call.includes(", 0600)")), [], args.join(" "));
  }
});
