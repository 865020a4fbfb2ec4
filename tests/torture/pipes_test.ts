/** Files that are no files: pipes, devices and links where a file is read. Every command ends. */
import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { indexPath } from "../../lib/library/catalogue/cache/search_database.ts";
import type { CommandLine } from "../_support/children/commands_child.ts";
import { cliEnvironment, type CliResult } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { commandsInOne } from "../_support/commands_in_one.ts";
import { user } from "../_support/log_bytes.ts";
import { needing, UNIX } from "../_support/needing.ts";

/** Longer than any command takes, also on a machine that does much else. */
const ENDS_MS = 60_000;

/** Makes pipes; the folders above them too. */
function makePipes(...paths: string[]): void {
  for (const path of paths) Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { success } = new Deno.Command("mkfifo", { args: ["-m", "600", ...paths] }).outputSync();
  assert.ok(success);
}

/** Runs commands in one process; each must end by itself. */
async function ends(home: CliHome, lines: CommandLine[]): Promise<CliResult[]> {
  const [program = "", ...args] = commandsInOne({ lines });
  const env = cliEnvironment({ home: home.path, env: { PWD: home.work } });
  const signal = AbortSignal.timeout(ENDS_MS);
  const options = { args, env, clearEnv: true, cwd: home.work, signal };
  const { code, stdout, stderr } = await new Deno.Command(program, options).output();
  const told = new TextDecoder().decode(stderr);
  assert.equal(code, 0, signal.aborted ? `does not end: ${told}` : told);
  const results: CliResult[] = JSON.parse(new TextDecoder().decode(stdout));
  for (const [index, { status, stderr }] of results.entries()) {
    assert.ok([0, 1].includes(status), `${lines[index]?.args.join(" ")}: ${status}: ${stderr}`);
  }
  return results;
}

/** Each word is one of a command line. */
function line(text: string, input?: string): CommandLine {
  return { args: text.split(" "), input };
}

const HELLO = [user("hello from the good one")];
const EVENT = '{"kind":"user_message","payload":{"content":"hi"}}\n';
const GOOD = sessionId("900d");

/** A home with one good session. */
function goodHome(): CliHome {
  const home = new CliHome();
  home.keep(GOOD, HELLO);
  return home;
}

// Slow: a command that waits for a pipe can be ended only as a process.
Deno.test(
  needing("a session whose log is a pipe or a device is told in words, the others go on", UNIX),
  async () => {
    await using home = goodHome();
    const pipe = home.keep(sessionId("b10cced"), HELLO);
    const device = home.keep(sessionId("b20cced"), HELLO);
    for (const { path } of [pipe, device]) Deno.removeSync(path);
    makePipes(pipe.path);
    Deno.symlinkSync("/dev/zero", device.path);
    const [list, search, stats, doctor, ...refused] = await ends(home, [
      ...[line("list --all --json"), line("search hello"), line("stats --all"), line("doctor")],
      ...[line("show b20c"), line("export b10c"), line("doctor b10c")],
      ...["b10c", "b20c"].map((ref) => line(`record --resume ${ref}`, EVENT)),
    ]);
    for (const found of [list, search]) assert.match(found?.stdout ?? "", /hello/, found?.stderr);
    for (const { path } of [pipe, device]) {
      for (const found of [list, search, stats]) assert.ok(found?.stderr.includes(path), path);
      assert.ok(doctor?.stdout.includes(path), doctor?.stdout);
    }
    assert.deepEqual(refused.map(({ status }) => status), [1, 1, 1, 1, 1]);
    for (const { stderr } of refused.slice(0, 3)) {
      assert.match(stderr, /Cannot read log: the path is (?:not a file|a symbolic link)/);
    }
  },
);

// Slow: a command that waits for a pipe can be ended only as a process.
Deno.test(
  needing("pipes in place of a store's other files stop no command and no list", UNIX),
  async () => {
    await using home = goodHome();
    const { directory } = home.keep(sessionId("b10cced"), HELLO);
    makePipes(
      ...["lock", "lock.json", "source/manifest.json"].map((name) => join(directory, name)),
      ...["marks.jsonl", "trash/tombstones.jsonl"].map((name) => join(home.store, name)),
      join(home.cache, basename(indexPath(home.cache))),
    );
    const [list, search, show, exported, , , doctor, ...refused] = await ends(home, [
      ...[line("list --all"), line("search hello"), line("show 900d"), line("export 900d")],
      ...[line("stats --all"), line("doctor b10c"), line("doctor")],
      ...[line("delete 900d"), line("trash list"), line("index build")],
      line("record --resume b10c", EVENT),
    ]);
    assert.match(list?.stdout ?? "", /hello from the good one/);
    assert.match(list?.stderr ?? "", /Cannot read marks: the path is not a file.*marks\.jsonl/);
    for (const found of [search, show, exported]) {
      assert.match(found?.stdout ?? "", /hello/, found?.stderr);
    }
    for (const name of ["marks.jsonl", "lock", basename(indexPath("")), "tombstones.jsonl"]) {
      assert.match(doctor?.stdout ?? "", new RegExp(`${name.replace(".", "\\.")}\\b`));
    }
    // A pipe in the place of the index is replaced.
    assert.deepEqual(refused.map(({ status }) => status), [1, 1, 0, 1]);
    for (const { stderr } of refused.slice(0, 2)) {
      assert.match(stderr, /Cannot .*(?:not a file|not a regular file)/);
    }
  },
);

// Slow: a command that waits for a pipe can be ended only as a process.
Deno.test(needing("settings that are a pipe or a device are told in words", UNIX), async () => {
  await using home = goodHome();
  const config = join(home.store, "config.json");
  const put = [() => makePipes(config), () => Deno.symlinkSync("/dev/zero", config)];
  for (const make of put) {
    make();
    const lines = [line("record", EVENT), line("list --all"), line("doctor")];
    const [recorded, list, doctor] = await ends(home, lines);
    assert.match(
      recorded?.stderr ?? "",
      /Cannot read settings: the path is not a file.*config\.json/,
    );
    assert.match(list?.stdout ?? "", /hello/);
    assert.match(doctor?.stdout ?? "", /config\.json/);
    Deno.removeSync(config);
  }
});

// Slow: a command that waits for a pipe can be ended only as a process.
Deno.test(needing("a project whose files are pipes stops no command", UNIX), async () => {
  await using home = goodHome();
  makePipes(
    ...[".env", ".aider.conf.yml", "AGENTS.md", ".git"].map((name) => join(home.work, name)),
  );
  const check = async (): Promise<void> => {
    const lines = [line("list"), line("record", EVENT), line("chat --model mock Hello")];
    const [list, recorded, chat] = await ends(home, lines);
    assert.match(list?.stdout ?? "", /hello/, list?.stderr);
    assert.equal(recorded?.status, 0, recorded?.stderr);
    assert.equal(chat?.stdout, "You said: Hello\n", chat?.stderr);
  };
  await check();
  Deno.removeSync(join(home.work, ".git"));
  makePipes(join(home.work, ".git", "HEAD"));
  await check();
});

// Slow: a command that waits for a pipe can be ended only as a process.
Deno.test(
  needing("pipes in other agents' stores stop no command, and hide no session", UNIX),
  async () => {
    await using home = goodHome();
    const at = (...names: string[]): string => join(home.path, ...names);
    const day = at(".codex", "sessions", "2026", "11", "21");
    const rollout = `rollout-2026-11-21T20-21-53-${sessionId("c0de")}.jsonl`;
    makePipes(
      at(".claude", "projects", "-work", `${sessionId("c1")}.jsonl`),
      at(".claude", "projects", "folder"),
      at(".claude", "settings.json"),
      join(day, rollout),
      at(".codex", "session_index.jsonl"),
      at(".codex", "archived_sessions"),
      at(".local", "share", "opencode", "opencode.db"),
      at(".local", "share", "opencode", "storage", "session", "p", "ses_1.json"),
      at(".local", "share", "goose", "sessions", "sessions.db"),
      at(".gemini", "projects.json"),
      at(".gemini", "tmp", "p", ".project_root"),
      at(".gemini", "tmp", "p", "chats", "session-2026-11-21T20-21-abcd.json"),
      at(".copilot", "session-state", sessionId("c2"), "events.jsonl"),
      at(".copilot", "session-state", sessionId("c2"), "workspace.yaml"),
      at(".pi", "agent", "sessions", "--work--", "2026_x.jsonl"),
      at(".qwen", "projects", "-work", "chats", `${sessionId("c3")}.jsonl`),
      at(".aider.chat.history.md"),
    );
    const paths = [join(day, rollout), at(".local", "share", "opencode", "opencode.db")];
    const [list, search, , , , ...refused] = await ends(home, [
      ...[line("list --all"), line("search hello"), line("stats --all")],
      ...[line("backup --agent all --all --dry-run"), line("backup --agent all --all")],
      ...paths.map((path) => line(`show ${path}`)),
    ]);
    for (const found of [list, search]) assert.match(found?.stdout ?? "", /hello/, found?.stderr);
    for (const { status, stderr } of refused) {
      assert.equal(status, 1);
      assert.match(stderr, /not a file/);
    }
  },
);
