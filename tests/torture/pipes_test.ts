/** Files that are no files: pipes, devices and links where a file is read. Every command ends. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { CliResult } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
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

/** Runs a command that must end by itself. */
async function ends(home: CliHome, args: readonly string[], stdin?: string): Promise<CliResult> {
  const signal = AbortSignal.timeout(ENDS_MS);
  const result = await home.run(args, stdin === undefined ? { signal } : { signal, stdin });
  const told = `${args.join(" ")}: ${result.status}: ${result.stderr}`;
  assert.ok(!signal.aborted, `does not end: ${told}`);
  assert.ok([0, 1].includes(result.status), told);
  return result;
}

/** Runs a command that must end and show something. */
async function shows(home: CliHome, args: readonly string[], text: RegExp): Promise<CliResult> {
  const result = await ends(home, args);
  assert.match(result.stdout, text, `${args.join(" ")}: ${result.stderr}`);
  return result;
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

Deno.test(
  needing("a session whose log is a pipe or a device is told in words, the others go on", UNIX),
  async () => {
    await using home = goodHome();
    const pipe = home.keep(sessionId("b10cced"), HELLO);
    const device = home.keep(sessionId("b20cced"), HELLO);
    for (const { path } of [pipe, device]) Deno.removeSync(path);
    makePipes(pipe.path);
    Deno.symlinkSync("/dev/zero", device.path);
    for (const args of [["list", "--all", "--json"], ["search", "hello"], ["stats", "--all"]]) {
      const { stdout, stderr } = await ends(home, args);
      if (args[0] !== "stats") assert.match(stdout, /hello/, stderr);
      for (const { path } of [pipe, device]) {
        assert.ok(stderr.includes(path), `${args.join(" ")}: ${stderr}`);
      }
    }
    const found = await ends(home, ["doctor"]);
    for (const { path } of [pipe, device]) assert.ok(found.stdout.includes(path), found.stdout);
    for (const args of [["show", "b20c"], ["export", "b10c"], ["verify", "b10c"]]) {
      const { status, stderr } = await ends(home, args);
      assert.equal(status, 1, args.join(" "));
      assert.match(stderr, /Cannot read log: (?:not a file|a link)/);
    }
    for (const ref of ["b10c", "b20c"]) {
      const { status } = await ends(home, ["record", "--resume", ref], EVENT);
      assert.equal(status, 1, ref);
    }
  },
);

Deno.test(
  needing("pipes in place of a store's other files stop no command and no list", UNIX),
  async () => {
    await using home = goodHome();
    const { directory } = home.keep(sessionId("b10cced"), HELLO);
    makePipes(
      ...["lock", "lock.json", "source/manifest.json"].map((name) => join(directory, name)),
      ...["marks.jsonl", "trash/tombstones.jsonl"].map((name) => join(home.store, name)),
      ...["catalogue", "catalogue.lock", "catalogue.usage", "index/search.json", "index/lock"]
        .map((name) => join(home.cache, name)),
    );
    const { stdout, stderr } = await ends(home, ["list", "--all"]);
    assert.match(stdout, /hello from the good one/);
    assert.match(stderr, /Cannot read marks: not a file.*marks\.jsonl/);
    await shows(home, ["search", "hello"], /hello/);
    await shows(home, ["show", "900d"], /hello/);
    await shows(home, ["export", "900d"], /hello/);
    await ends(home, ["stats", "--all"]);
    await ends(home, ["verify", "b10c"]);
    const found = await ends(home, ["doctor"]);
    for (const name of ["marks.jsonl", "lock", "search.json", "tombstones.jsonl", "catalogue"]) {
      assert.match(found.stdout, new RegExp(`${name.replace(".", "\\.")}\\b`));
    }
    for (const args of [["delete", "900d"], ["trash", "list"], ["index", "build"]]) {
      const { status, stderr } = await ends(home, args);
      assert.equal(status, 1, args.join(" "));
      assert.match(stderr, /Cannot .*(?:not a file|not a plain file)/);
    }
    assert.equal((await ends(home, ["record", "--resume", "b10c"], EVENT)).status, 1);
  },
);

Deno.test(needing("settings that are a pipe or a device are told in words", UNIX), async () => {
  await using home = goodHome();
  const config = join(home.store, "config.json");
  const put = [() => makePipes(config), () => Deno.symlinkSync("/dev/zero", config)];
  for (const make of put) {
    make();
    const recorded = await ends(home, ["record"], EVENT);
    assert.match(recorded.stderr, /Cannot read settings: not a file.*config\.json/);
    await shows(home, ["list", "--all"], /hello/);
    await shows(home, ["doctor"], /config\.json/);
    Deno.removeSync(config);
  }
});

Deno.test(needing("a project whose files are pipes stops no command", UNIX), async () => {
  await using home = goodHome();
  makePipes(
    ...[".env", ".aider.conf.yml", "AGENTS.md", ".git"].map((name) => join(home.work, name)),
  );
  const env = { PWD: home.work };
  const check = async (): Promise<void> => {
    const signal = AbortSignal.timeout(ENDS_MS);
    const list = await home.run(["list"], { env, signal });
    assert.match(list.stdout, /hello/, list.stderr);
    const recorded = await home.run(["record"], { env, signal, stdin: EVENT });
    assert.equal(recorded.status, 0, recorded.stderr);
    const chat = await home.run(["chat", "--model", "mock", "Hello"], { env, signal });
    assert.equal(chat.stdout, "You said: Hello\n", chat.stderr);
    assert.ok(!signal.aborted);
  };
  await check();
  Deno.removeSync(join(home.work, ".git"));
  makePipes(join(home.work, ".git", "HEAD"));
  await check();
});

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
    await shows(home, ["list", "--all"], /hello/);
    await shows(home, ["search", "hello"], /hello/);
    await ends(home, ["stats", "--all"]);
    await ends(home, ["backup", "--agent", "all", "--all", "--dry-run"]);
    await ends(home, ["backup", "--agent", "all", "--all"]);
    for (const path of [join(day, rollout), at(".local", "share", "opencode", "opencode.db")]) {
      const { status, stderr } = await ends(home, ["show", path]);
      assert.equal(status, 1);
      assert.match(stderr, /not a file/);
    }
  },
);
