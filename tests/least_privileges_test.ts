/** The commands of SECURITY.md's table, under `deno run` with the privileges of their rows alone. */
import { needing, UNIX } from "./_support/needing.ts";
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { keepSession } from "../lib/features/backup/keep_session.ts";
import { writeSyncSettings } from "../lib/features/team/sync_settings.ts";
import { storeBytes as crushDatabase } from "./agents/crush/_store.ts";
import { CHAT, chat, CHATS } from "./agents/cursor/_store.ts";
import { databaseOf as gooseDatabase, talk } from "./agents/goose/_store.ts";
import { exported, storageFiles } from "./agents/opencode/_store.ts";
import { putProgram } from "./commands/_fake_agent.ts";
import { keepPiSession } from "./commands/_pi_session.ts";
import { TERMINAL, Terminal } from "./commands/_terminal.ts";
import { ACCOUNT, withBucket } from "./_support/bucket_server.ts";
import type { CommandLine, CommandRun } from "./_support/children/commands_child.ts";
import { cliEnvironment } from "./_support/cli.ts";
import { CliHome, sessionId } from "./_support/cli_home.ts";
import { commandsInOne } from "./_support/commands_in_one.ts";
import { assistant, user } from "./_support/log_bytes.ts";
import { ON_DISK } from "./_support/memory_folder.ts";
import { ModelServer } from "./_support/model_servers.ts";
import { BundleKey } from "./features/backup/bundle/_bundles.ts";
import { GIT } from "./_support/trapped_repository.ts";

const ROOT = new URL("../", import.meta.url);
/** The bundle is the same program, and starts sooner. */
const MAIN = Deno.env.get("REPRISE_BUNDLE") ?? fileURLToPath(new URL("main.ts", ROOT));
const [ONE, TWO] = [sessionId("aaaa"), sessionId("bbbb")];

/** The privileges of all commands, but for what they write. */
const FLAGS = ["--no-prompt", "--allow-read", "--allow-env"];

/** A row: its commands, and what they need beside the privileges of all. */
interface TableRow {
  commands: string[];
  also: string[];
}

function tableRows(): TableRow[] {
  const text = Deno.readTextFileSync(new URL(".github/SECURITY.md", ROOT));
  const [, table = ""] = /### Least privileges\n[^]*?\n\| -+ \| -+ \|\n((?:\|.*\n)+)/.exec(text) ??
    [];
  return table.trimEnd().split("\n").map((row) => {
    const [, commands = "", also = ""] = row.split("|");
    const quoted = (cell: string): string[] =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
    return { commands: quoted(commands), also: quoted(also).flatMap((code) => code.split(" ")) };
  });
}

/** How a command is tried. */
interface Trial {
  args: readonly string[];
  stdin?: string;
  /** The folders, host or program that the row's placeholders stand for. */
  folder?: string;
  temporary?: string;
  host?: string;
  program?: string;
  env?: Readonly<Record<string, string>>;
  /** Its line on standard output, after which a command that goes on is ended. */
  until?: RegExp;
  /** True to run it on a terminal, where alone it starts a program. */
  on_terminal?: true;
  /** What it says when it did what it is for. @default {nothing: its status is 0} */
  says?: RegExp;
}

const INITIALIZE = (protocolVersion: unknown): string =>
  JSON.stringify({
    ...{ jsonrpc: "2.0", id: 0, method: "initialize" },
    params: {
      ...{ protocolVersion, clientCapabilities: {}, capabilities: {} },
      clientInfo: { name: "test", version: "1" },
    },
  }) + "\n";

/** Lets a home use a team's store. */
function shareIn(home: CliHome, url: string): void {
  const device = { id: crypto.randomUUID(), label: "laptop" };
  writeSyncSettings(home.store, {
    version: 2,
    url,
    device,
    projects: [{ directory: home.work, project: "site" }],
  });
}

/** A home in which each command has something to do. */
function furnished(): CliHome {
  const home = new CliHome(ON_DISK);
  home.keep(ONE, [user("Where is the zebra?"), assistant("Here")]);
  home.keep(TWO, [user("Where is the lion?"), assistant("There")]);
  keepPiSession(home);
  return home;
}

type Prepare = (home: CliHome) => Trial | Promise<Trial>;

/** Commands that only take words. */
const PLAIN: Record<string, string> = {
  archive: "aaaa",
  backup: "--agent pi --all",
  cache: "clear",
  cap: "15 --session",
  completions: "bash",
  config: "list",
  context: "aaaa",
  conversation: "aaaa",
  delete: "aaaa",
  diff: "aaaa bbbb",
  doctor: "",
  files: "aaaa",
  fork: "aaaa",
  import: "pi:1111",
  digest: "--all --since 2026-01-01",
  index: "build",
  list: "--all",
  merge: "aaaa bbbb",
  note: "aaaa Good",
  path: "aaaa",
  pin: "aaaa",
  relink: "/gone /gone-too --force",
  rename: "aaaa Zebra",
  search: "zebra --all",
  secrets: "aaaa",
  show: "aaaa",
  stats: "--all",
  tag: "aaaa bug",
  trash: "list",
  version: "",
  watch: "--once",
};

/** Makes the working directory a repository with a commit. */
function commitIn(home: CliHome): void {
  const git = (...args: string[]): void => {
    const flags = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    new Deno.Command("git", { args: [...flags, ...args], cwd: home.work }).outputSync();
  };
  Deno.writeTextFileSync(join(home.work, "a.txt"), "one\n");
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "one");
}

const OTHERS: Record<string, Prepare> = {
  acp: () => ({ args: ["acp"], stdin: INITIALIZE(1), says: /"agentCapabilities"/ }),
  mcp: () => ({ args: ["mcp"], stdin: INITIALIZE("2025-06-18"), says: /"serverInfo"/ }),
  hook: (home) => ({
    args: ["hook", "start"],
    stdin: JSON.stringify({ cwd: home.work }),
    says: /reprise-recall/,
  }),
  statusline: () => ({
    args: ["statusline"],
    stdin: '{"model":{"display_name":"Opus"}}',
    says: /^Opus/,
  }),
  record: () => ({
    args: ["record"],
    stdin: '{"kind":"user_message","payload":{"content":"Hello"}}\n',
    says: /"state":"synced"/,
  }),
  "export --all": (home) => ({
    args: ["export", "--all", "--out", join(home.work, "site")],
    folder: home.work,
    says: /2 sessions written|3 sessions written/,
  }),
  "export --out": (home) => ({
    args: ["export", "aaaa", "--out", join(home.work, "talk.md")],
    folder: home.work,
  }),
  "key new": (home) => ({ args: ["key", "new", "--out", join(home.work, "k")], folder: home.work }),
  "repair --out": (home) => ({
    args: ["repair", "aaaa", "--out", join(home.work, "clean.jsonl")],
    folder: home.work,
  }),
  "backup restore": async (home) => {
    const { path } = keepPiSession(home);
    const session = { agent: "pi", id: "1111aaaa", path } as const;
    const folder = join(home.store, "backups", "pi", "1111aaaa-0");
    const times = { now: new Date(), thorough: true, mend: true };
    await keepSession({ session, folder, files: [path], ...times });
    Deno.removeSync(path);
    return { args: ["backup", "restore", "pi:1111"], folder: join(home.path, ".pi") };
  },
  pack: (home) => {
    const id = "01a1aaaa-0000-7000-8000-000000000002";
    const name = `.codex/sessions/2026/03/01/rollout-2026-03-01T09-00-00-${id}.jsonl`;
    const path = join(home.path, name);
    Deno.mkdirSync(dirname(path), { recursive: true });
    Deno.copyFileSync(new URL("testdata/agents/codex/paginated.jsonl", ROOT), path);
    Deno.utimeSync(path, new Date("2026-03-01"), new Date("2026-03-01"));
    const args = ["pack", "codex", "--older-than", "2026-03-02", "--write"];
    return { args, folder: join(home.path, ".codex") };
  },
  "doctor agents --fix --write": (home) => {
    const folder = dirname(keepPiSession(home).path);
    Deno.renameSync(folder, join(dirname(folder), "--other--"));
    const args = ["doctor", "agents", "--fix", "pi:1111", "--cwd", home.work, "--write"];
    return { args, folder: join(home.path, ".pi") };
  },
  handover: (home) => ({
    args: ["handover", "aaaa", "--to", "pi"],
    folder: join(home.path, ".pi"),
  }),
  "repair --in-place": (home) => {
    const { path } = keepPiSession(home, "2222bbbb", "Damaged");
    Deno.writeTextFileSync(path, '{"type":"message","id":"c1","par', { append: true });
    Deno.utimeSync(path, 1_790_000_000, 1_790_000_000);
    const temporary = join(home.path, "temporary");
    Deno.mkdirSync(temporary);
    const args = ["repair", "pi:2222", "--in-place", "--write"];
    return { args, folder: join(home.path, ".pi"), temporary, env: { TMPDIR: temporary } };
  },
  "secrets --scrub --write": (home) => {
    const { path } = keepPiSession(home, "3333cccc", "Secret");
    const token = `gh${"p_"}${"aB3dE5gH7jK9".repeat(3)}`;
    const record = { type: "message", id: "s1", message: { role: "user", content: token } };
    Deno.writeTextFileSync(path, `${JSON.stringify(record)}\n`, { append: true });
    Deno.utimeSync(path, 1_790_000_000, 1_790_000_000);
    const args = ["secrets", "pi:3333", "--scrub", "--write", "--no-original"];
    return { args, folder: join(home.path, ".pi") };
  },
  "setup --write": (home) => {
    putProgram(home, "codex", "exit 0");
    const env = { PATH: join(home.path, "bin") };
    return { args: ["setup", "--write"], folder: home.path, program: "codex", env };
  },
  "sync service install": (home) => {
    const program = Deno.build.os === "darwin" ? "launchctl" : "systemctl";
    putProgram(home, program, "exit 0");
    shareIn(home, "postgresql://ann@127.0.0.1/team");
    const env = { PATH: join(home.path, "bin") };
    const runs = Deno.build.os === "darwin" ? "/bin/sh" : program;
    return { args: ["sync", "service", "install"], folder: home.path, program: runs, env };
  },
  "sync PLACE": (home) => {
    const folder = join(home.path, "place");
    Deno.mkdirSync(folder);
    const args = ["sync", folder, "--words", join(folder, "words"), "--yes", "--once"];
    return { args, folder, says: /^Sent \d sessions?/m };
  },
  blame: (home) => {
    commitIn(home);
    return { args: ["blame", "a.txt"], says: /one/ };
  },
  send: async (home) => {
    const temporary = join(home.path, "temporary");
    Deno.mkdirSync(temporary);
    const { recipient } = await BundleKey.in(home.path);
    const args = [
      "send",
      "aaaa",
      "--to",
      recipient,
      "--yes",
      "--out",
      join(home.work, "a.reprise"),
    ];
    return { args, folder: home.work, temporary, env: { TMPDIR: temporary } };
  },
  take: async (home) => {
    const { path, recipient } = await BundleKey.in(home.path);
    const file = join(home.path, "a.reprise");
    commitIn(home);
    Deno.writeTextFileSync(join(home.work, "b.txt"), "two\n");
    await home.succeed(["send", "pi:1111", "--to", recipient, "--yes", "--out", file]);
    Deno.removeSync(join(home.path, ".pi", "agent", "sessions"), { recursive: true });
    const temporary = join(home.path, "temporary");
    Deno.mkdirSync(temporary);
    const args = ["take", file, "--identity", path, "--yes"];
    return { args, folder: join(home.path, ".pi"), temporary, env: { TMPDIR: temporary } };
  },
  "config set agents.NAME.reader": (home) => {
    const fixtures = new URL("testdata/agents/own_reader/", ROOT);
    const [reader, kept] = [join(home.path, "reader.sh"), join(home.path, "kept")];
    Deno.mkdirSync(kept);
    Deno.copyFileSync(new URL("print_lines.sh", fixtures), reader);
    Deno.copyFileSync(new URL("lines.jsonl", fixtures), join(kept, "one.jsonl"));
    const args = ["config", "set", "agents.lines.reader", `/bin/sh ${reader} ${kept}`];
    return { args, program: "/bin/sh", says: /prints 1 session/ };
  },
  "open --no-browser": () => ({ args: ["open", "--no-browser"], until: /^http:/ }),
  open: (home) => {
    const program = Deno.build.os === "darwin" ? "open" : "xdg-open";
    const temporary = join(home.path, "temporary");
    Deno.mkdirSync(temporary);
    const env = { ...putProgram(home, program, "exit 0"), TMPDIR: temporary };
    const until = /^(?:Opening the browser; .*|http:.*)$/m;
    return { args: ["open"], program, temporary, env, until, says: /^Opening the browser; /m };
  },
  resume: (home) => ({
    args: ["resume", "pi:1111"],
    program: "pi",
    on_terminal: true,
    env: putProgram(home, "pi", "echo resumed"),
    says: /resumed/,
  }),
};

/** Prepares a command that talks to a server of this test. */
async function withServer(
  name: string,
  home: CliHome,
  test: (trial: Trial) => Promise<void>,
): Promise<void> {
  if (name === "chat") {
    const calls = [
      { id: "c1", name: "bash", input: { command: "echo from bash" } },
      { id: "c2", name: "write", input: { path: "made.txt", content: "made" } },
    ];
    await using server = new ModelServer("openai", [{ calls }, { text: "Both done." }]);
    const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "k", OPENAI_MODEL: "m" };
    const host = new URL(server.url).host;
    await test({
      ...{ args: ["chat", "--yes", "Do both"], env, host, folder: home.work, says: /Both done/ },
    });
    const results = JSON.stringify(server.bodies.at(-1)?.messages);
    assert.match(results, /from bash/);
    assert.equal(Deno.readTextFileSync(join(home.work, "made.txt")), "made");
    return;
  }
  if (name.startsWith("export --")) {
    return await withBucket(async ({ url }) => {
      const share = ["export", "aaaa", "--share", url, "--yes"];
      if (name === "export --unshare") await home.succeed(share, { env: ACCOUNT });
      const args = name === "export --unshare" ? ["export", "--unshare", "aaaa"] : share;
      const host = new URL(new URL(url).searchParams.get("endpoint") ?? "").host;
      await test({ args, env: ACCOUNT, host });
    });
  }
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  let met = 0;
  const meeting = (async () => {
    for await (const connection of listener) {
      met++;
      connection.close();
    }
  })();
  shareIn(home, `postgresql://ann@127.0.0.1:${port}/team`);
  // No server of a team, but one that was reached.
  await test({
    ...{ args: ["sync", "pull"], host: `127.0.0.1:${port}`, env: { PGPASSWORD: "x" } },
    says: /127\.0\.0\.1/,
  });
  listener.close();
  await meeting;
  assert.ok(met > 0, "it did not reach the server");
}

interface Outcome {
  success: boolean;
  output: string;
}

/** What a trial may do beside the privileges of all: the paths that it may write to, and other flags. */
function allowed(
  home: CliHome,
  { folder = "", temporary = "", host = "", program = "" }: Trial,
  also: readonly string[],
): { writes: string[]; flags: string[] } {
  const values: Record<string, string> = {
    ...{
      FOLDER: folder,
      TEMPORARY: temporary,
      HOST: host,
      OPENER: program,
      AGENT: program,
      PROGRAM: program,
    },
  };
  const filled = also.map((flag) => flag.replaceAll(/\b[A-Z]+\b/g, (name) => values[name] ?? name));
  const own = [home.store, dirname(home.cache)];
  return {
    writes: [...own, ...filled.flatMap((flag) => flag.split("--allow-write=").slice(1))],
    flags: filled.filter((flag) => !flag.startsWith("--allow-write=")),
  };
}

async function run(home: CliHome, trial: Trial, also: readonly string[]): Promise<Outcome> {
  const { writes, flags } = allowed(home, trial, also);
  const args = [
    ...["run", "--quiet", "--no-lock", ...FLAGS],
    ...[`--allow-write=${writes.join(",")}`, ...flags, MAIN, ...trial.args],
  ];
  if (trial.on_terminal) return await runOnTerminal(home, trial, args);
  const child = new Deno.Command(Deno.execPath(), {
    args,
    ...{ cwd: home.work, clearEnv: true, stdin: "piped", stdout: "piped", stderr: "piped" },
    env: cliEnvironment({ home: home.path, env: { NO_COLOR: "1", ...trial.env } }),
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(trial.stdin ?? ""));
  await input.close();
  let output = "";
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      output += text;
      if (trial.until?.test(output)) child.kill("SIGINT");
    }
  };
  const [{ code }] = await Promise.all([child.status, read(child.stdout), read(child.stderr)]);
  return outcome(trial, output, code === 0);
}

async function runOnTerminal(home: CliHome, trial: Trial, args: string[]): Promise<Outcome> {
  const words = [Deno.execPath(), ...args].map((word) => `'${word}'`).join(" ");
  const options = { columns: 200, env: trial.env ?? {} };
  await using terminal = await Terminal.open(home, `${words}; echo "status=$?"`, options);
  const output = await terminal.until(/status=\d+/);
  return outcome(trial, output, output.includes("status=0"));
}

function outcome({ says }: Trial, output: string, is_done: boolean): Outcome {
  const said = says?.test(output) ?? is_done;
  return { success: said && !/NotCapable|Requires \w+ access/.test(output), output };
}

/** The privileges of a row, then those without each of them. */
function eachLessOne(also: readonly string[]): (readonly string[])[] {
  return [also, ...also.map((flag) => also.filter((one) => one !== flag))];
}

/** What a command is tried with, of those that need no server. */
async function prepared(name: string, home: CliHome): Promise<Trial> {
  const words = PLAIN[name]?.split(" ").filter(Boolean);
  return words === undefined
    ? await OTHERS[name]?.(home) ?? { args: [] }
    : { args: [name, ...words] };
}

/** Tries a command with its row's privileges, and without each of them in a home of its own. */
async function tryCommand(name: string, also: readonly string[]): Promise<void> {
  for (const flags of eachLessOne(also)) {
    await using home = furnished();
    const trial = async (trial: Trial): Promise<void> => {
      const { success, output } = await run(home, trial, flags);
      assert.equal(success, flags === also, `${name} ${flags.join(" ")}: ${output}`);
    };
    if (name in PLAIN || name in OTHERS) await trial(await prepared(name, home));
    else if (flags === also) await withServer(name, home, trial);
  }
}

/** True for a command that at most writes: what a home may write is no matter to another home. */
function onlyWrites(also: readonly string[]): boolean {
  // The runtime reads the variable of the temporary folder itself.
  return also.every((flag) => /^--allow-write=[A-Z]+$/.test(flag));
}

/** Tries commands that at most write, all in one process; gives what went wrong, by their names. */
async function tryTogether(rows: readonly TableRow[]): Promise<Map<string, string[]>> {
  await using homes = new AsyncDisposableStack();
  const trials: { name: string; is_enough: boolean; trial: Trial }[] = [];
  const lines: CommandLine[] = [];
  const writable: string[] = [];
  for (const { commands, also } of rows) {
    for (const name of commands.filter(() => onlyWrites(also))) {
      for (const flags of eachLessOne(also)) {
        const home = homes.use(furnished());
        const trial = await prepared(name, home);
        const env = cliEnvironment({ home: home.path, env: { NO_COLOR: "1", ...trial.env } });
        trials.push({ name, is_enough: flags === also, trial });
        lines.push({ args: trial.args, input: trial.stdin, cwd: home.work, env });
        writable.push(...allowed(home, trial, flags).writes);
      }
    }
  }
  const [program = "", ...args] = commandsInOne(
    { lines },
    [...FLAGS, `--allow-write=${writable.join(",")}`],
  );
  const { stdout, stderr } = await new Deno.Command(program, { args }).output();
  assert.equal(new TextDecoder().decode(stderr), "");
  const runs: CommandRun[] = JSON.parse(new TextDecoder().decode(stdout));
  const wrong = new Map(trials.map(({ name }): [string, string[]] => [name, []]));
  for (const [index, { name, is_enough, trial }] of trials.entries()) {
    const { status, stdout, stderr } = runs[index] ?? assert.fail();
    const { success, output } = outcome(trial, stdout + stderr, status === 0);
    if (success !== is_enough) {
      wrong.get(name)?.push(`${is_enough ? "with" : "without"}: ${output}`);
    }
  }
  return wrong;
}

/** Puts a session of each kind of source into a home; returns their agents and the database in use. */
function putSources(home: CliHome): { agents: string[]; database: DatabaseSync } {
  const files: Record<string, string | Uint8Array> = {
    ...storageFiles(exported("small")),
    ".local/share/goose/sessions/sessions.db": gooseDatabase(talk("talk")),
    [`${CHATS}/${CHAT}/store.db`]: chat(),
    [`${CHATS}/${CHAT}/meta.json`]: JSON.stringify({}),
    ".crush/crush.db": crushDatabase(),
  };
  for (const [name, content] of Object.entries(files)) {
    Deno.mkdirSync(dirname(join(home.path, name)), { recursive: true });
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    Deno.writeFileSync(join(home.path, name), bytes);
  }
  // Its pages lie in the log, and nothing may be made beside it.
  const database = new DatabaseSync(join(home.path, ".crush/crush.db"));
  database.exec("PRAGMA journal_mode = wal; UPDATE sessions SET title = 'from the log'");
  Deno.chmodSync(join(home.path, ".crush"), 0o500);
  return { agents: ["crush", "cursor", "goose", "opencode", "pi", "reprise"], database };
}

// Slow: privileges are those of a process.
Deno.test({
  ...needing("P8 every kind of source is read with the privileges that are enough", UNIX),
  fn: async () => {
    await using home = furnished();
    const { agents, database } = putSources(home);
    const { output } = await run(home, { args: ["list", "--all", "--json"] }, []);
    const rows = output.trim().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual([...new Set(rows.map(({ agent }) => agent))].sort(), agents, output);
    assert.ok(rows.some(({ title }) => title === "from the log"), output);
    const folder = dirname(home.cache);
    assert.deepEqual([...Deno.readDirSync(join(folder, "copies"))], []);
    Deno.removeSync(folder, { recursive: true });
    Deno.writeTextFileSync(folder, "in the way");
    const refused = await run(home, { args: ["list", "--all", "--agent", "crush"] }, []);
    assert.match(refused.output, /Cannot read database of crush: .* copy .*--allow-write/);
    assert.match(refused.output, /No session could be read/);
    database.close();
    Deno.chmodSync(join(home.path, ".crush"), 0o700);
  },
});

let together: Promise<Map<string, string[]>> | undefined;

Deno.test("the table of least privileges names every command", () => {
  const named = new Set(
    tableRows().flatMap(({ commands }) => commands).map((name) => name.split(" ")[0]),
  );
  const files = [...Deno.readDirSync(new URL("commands", ROOT))]
    .flatMap(({ name }) => /^([a-z]+)\.ts$/.exec(name)?.[1] ?? []);
  assert.deepEqual([...named].sort(), files.filter((name) => name !== "help").sort());
});

for (const { commands, also } of tableRows()) {
  for (const name of commands) {
    // Slow: privileges are those of a process, and each of them is taken away once.
    Deno.test({
      ...needing(
        `P8 ${name} needs ${also.join(" ") || "no more than the store and the cache"}`,
        UNIX,
        ...["blame", "send", "take"].includes(name) ? [GIT] : name === "resume" ? [TERMINAL] : [],
      ),
      fn: async () => {
        if (!onlyWrites(also)) return await tryCommand(name, also);
        assert.deepEqual((await (together ??= tryTogether(tableRows()))).get(name), []);
      },
    });
  }
}
