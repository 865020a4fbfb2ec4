/** `reprise config set agents.NAME.reader`, and what commands do with such an agent. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { CliHome } from "../_support/cli_home.ts";
import { needing, UNIX } from "../_support/needing.ts";
import { user } from "../_support/log_bytes.ts";

const FIXTURES = new URL("../../testdata/agents/own_reader/", import.meta.url);
const KEY = "agents.lines.reader";

/** A home with a session of ours, and one that a reader in it prints. */
function furnished(): CliHome {
  const home = new CliHome();
  home.keep("0f8e6a52-7c1d-4b39-9e40-d5a2c7b81f63", [user("Where is the zebra?")]);
  const kept = join(home.path, "kept");
  Deno.mkdirSync(kept);
  Deno.copyFileSync(new URL("lines.jsonl", FIXTURES), join(kept, "one.jsonl"));
  Deno.copyFileSync(new URL("print_lines.sh", FIXTURES), join(home.path, "reader.sh"));
  return home;
}

function test(name: string, run: (home: CliHome) => Promise<void>): void {
  Deno.test({
    ...needing(name, UNIX),
    fn: async () => {
      await using home = furnished();
      await run(home);
    },
  });
}

test("a reader is set with absolute paths, and its sessions are those of an agent", async (home) => {
  const set = await home.succeed(["config", "set", KEY, "sh ../reader.sh ~/kept"]);
  assert.match(
    set.stderr,
    /^reprise: the reader program prints 1 session; .* --agent lines --all\n$/,
  );
  const { stdout } = await home.succeed(["config", "get", KEY]);
  assert.match(stdout, /^\/\S*\/sh \/\S+\/reader\.sh \/\S+\/kept\n$/);
  const [agents, list, show, search, stats, exported] = await Promise.all([
    home.succeed(["list", "--agents"]),
    home.succeed(["list", "--all", "--json"]),
    home.succeed(["show", "lines:one"]),
    home.succeed(["search", "files", "--all", "--agent", "lines"]),
    home.succeed(["stats", "--all", "--json"]),
    home.succeed(["export", "lines:one", "--format", "md"]),
  ]);
  assert.match(agents.stdout, /^lines +read +lines \(your own reader\)$/m);
  const rows = list.stdout.trim().split("\n").map((line) => JSON.parse(line).ref);
  assert.ok(rows.includes("lines:one") && rows.length === 2, list.stdout);
  assert.match(show.stdout, /Twelve\./);
  assert.match(search.stdout, /lines:one#2/);
  assert.match(stats.stdout, /"input":40,"output":12/);
  assert.match(exported.stdout, /How many files are here\?/);
});

test("a session of a reader is handed over to another agent, and never to it", async (home) => {
  await home.succeed(["config", "set", KEY, "sh ../reader.sh ~/kept"]);
  const given = await home.succeed([
    "handover",
    "lines:one",
    "--to",
    "pi",
    "--cwd",
    home.work,
    "--force",
  ]);
  assert.match(given.stdout + given.stderr, /pi:/);
  const back = await home.run(["handover", "lines:one", "--to", "lines"]);
  assert.equal(back.status, 2);
});

test("a changed file, or a changed reader, is read anew, and an unchanged one from the cache", async (home) => {
  await home.succeed(["config", "set", KEY, "sh ../reader.sh ~/kept"]);
  const messages = async (): Promise<unknown> => {
    const { stdout } = await home.succeed([
      "list",
      "--agent",
      "lines",
      "--all",
      "--exact",
      "--json",
    ]);
    return JSON.parse(stdout).message_count;
  };
  assert.deepEqual([await messages(), await messages()], [4, 4]);
  const more = '{"kind":"user_message","payload":{"content":"And now?"}}\n';
  Deno.writeTextFileSync(join(home.path, "kept", "one.jsonl"), more, { append: true });
  assert.equal(await messages(), 5);
  const reader = join(home.path, "reader.sh");
  Deno.writeTextFileSync(reader, Deno.readTextFileSync(reader).replace("cat", "head -n 1"));
  assert.equal(await messages(), 1);
});

test("a reader that fails later leaves all other sessions listed and found", async (home) => {
  await home.succeed(["config", "set", KEY, "sh ../reader.sh ~/kept"]);
  Deno.writeTextFileSync(join(home.path, "reader.sh"), "echo broken >&2; exit 7");
  const list = await home.run(["list", "--all"]);
  assert.match(list.stdout, /zebra/);
  assert.match(
    list.stderr,
    /Cannot read sessions of lines: sh ended with status 7: broken; to see/,
  );
  assert.equal(list.stderr.trim().split("\n").length, 1, list.stderr);
  assert.equal(list.status, 0);
  // Where the failed reader is all that was asked, and for checks and documents, it is a failure.
  const only = ["--all", "--agent", "lines"];
  for (
    const args of [
      ["list", ...only],
      ["list", ...only, "--json"],
      ["stats", ...only],
      ["stats", ...only, "--json"],
      ["search", "zebra", ...only],
      ["secrets", "--all"],
      ["export", "--all", "--out", "pages"],
      ["export", "--agent", "lines", "--out", "none"],
      ["doctor"],
      ["doctor", "--json"],
    ]
  ) {
    const { status, stdout, stderr } = await home.run(args);
    assert.equal(status, 1, args.join(" "));
    assert.match(stdout + stderr, /ended with status 7: broken/, args.join(" "));
  }
  assert.match((await home.succeed(["show", "0f8e6a52"])).stdout, /zebra/);
  const named = await home.run(["show", "lines:one"]);
  assert.deepEqual([named.status, named.stdout], [1, ""]);
  assert.match(named.stderr, /ended with status 7/);
});

test("a reader that prints no list is not set", async (home) => {
  const told: [string, string, RegExp, number][] = [
    [KEY, "sh -c false", /ended with status 1/, 1],
    [KEY, "sh -c 'echo hello'", /printed a line that Reprise cannot use \(line 1: .*JSON/, 1],
    [KEY, "no-such-program", /there is no program no-such-program on PATH; give its path/, 2],
    ["agents.claude.reader", "sh", /Reprise already reads the sessions of this agent/, 2],
    ["agents.oh-my-pi.reader", "sh", /it is another name of omp/, 1],
    ["agents.all.reader", "sh", /use 2 to 32 characters/, 2],
    ["agents.Mine.reader", "sh", /use 2 to 32 characters/, 2],
  ];
  for (const [key, value, message, status] of told) {
    const run = await home.run(["config", "set", key, value]);
    assert.match(run.stderr, message);
    assert.equal(run.status, status, run.stderr);
  }
  assert.ok(!(await home.succeed(["config", "list"])).stdout.includes(".reader"));
});

test("settings that others can write start no reader", async (home) => {
  await home.succeed(["config", "set", KEY, "sh ../reader.sh ~/kept"]);
  Deno.chmodSync(join(home.store, "config.json"), 0o666);
  const { stdout, stderr } = await home.run(["list", "--all", "--no-cache"]);
  assert.match(stdout, /zebra/);
  assert.ok(!stdout.includes("lines"));
  assert.match(
    stderr,
    /Cannot read sessions of lines: other users can change your settings or their/,
  );
});

test("a settings file of a project starts nothing", async (home) => {
  const ran = join(home.path, "ran");
  const line = `/bin/sh -c 'touch ${ran}'`;
  for (const path of ["config.json", ".reprise/config.json", "store/config.json"]) {
    const file = join(home.work, path);
    Deno.mkdirSync(join(file, ".."), { recursive: true });
    Deno.writeTextFileSync(file, JSON.stringify({ [KEY]: line }));
  }
  await home.succeed(["list", "--all"]);
  assert.throws(() => Deno.statSync(ran), Deno.errors.NotFound);
});

test("secrets of a reader's sessions are counted and never scrubbed, and a failure is told", async (home) => {
  await home.succeed(["config", "set", KEY, "sh ../reader.sh ~/kept"]);
  const scrub = await home.run(["secrets", "lines:one", "--scrub", "--write", "--no-original"]);
  assert.equal(scrub.status, 1);
  assert.match(
    scrub.stderr,
    /Cannot scrub secrets: a reader program of your own prints this session/,
  );
  Deno.writeTextFileSync(join(home.path, "reader.sh"), "exit 3\n");
  const all = await home.run(["secrets", "--agent", "lines"]);
  assert.equal(all.status, 1);
  assert.match(all.stderr, /^reprise: Cannot read sessions of lines/m);
});

/** Sets a reader that also writes each of its questions into a file. Returns those since the last call. */
async function countedReader(home: CliHome, more = ""): Promise<() => string[]> {
  const asked = join(home.path, "asked");
  const script = `echo "$2 $3" | sed 's/ $//' >> '${asked}'\n${more}\n`;
  const reader = join(home.path, "reader.sh");
  Deno.writeTextFileSync(reader, script + Deno.readTextFileSync(reader));
  await home.succeed(["config", "set", KEY, "sh ../reader.sh ~/kept"]);
  const taken = (): string[] => {
    const lines = Deno.readTextFileSync(asked).trim().split("\n").filter((line) => line !== "");
    Deno.writeTextFileSync(asked, "");
    return lines;
  };
  taken();
  return taken;
}

// Slow: eight commands, each with a program.
test("a command asks a reader once for the events of a session", async (home) => {
  const asked = await countedReader(home);
  const commands = [
    ["list", "--agent", "lines", "--all"],
    ["list", "--agent", "lines", "--all", "--exact"],
    ["show", "lines:one"],
    ["search", "files", "--all", "--agent", "lines"],
    ["export", "lines:one", "--format", "html"],
    ["conversation", "lines:one"],
    ["stats", "--all"],
    ["handover", "lines:one", "--to", "pi", "--cwd", home.work, "--force", "--dry-run"],
  ];
  for (const [index, args] of commands.entries()) {
    // The process remembers what an earlier command read of the file as it was.
    Deno.utimeSync(join(home.path, "kept", "one.jsonl"), 0, 1_790_000_000 + index);
    await home.succeed(args);
    assert.deepEqual(asked().filter((line) => line !== "sessions"), ["events one"], args.join(" "));
  }
});

test("a list reads a session anew if its size or time changed, and not for its ctime", async (home) => {
  const asked = await countedReader(home);
  const list = () => home.succeed(["list", "--agent", "lines", "--all", "--exact"]);
  const log = join(home.path, "kept", "one.jsonl");
  Deno.utimeSync(log, 1_790_000_000, 1_790_000_000);
  await list();
  assert.deepEqual(asked(), ["sessions", "events one"]);
  Deno.chmodSync(log, 0o600);
  await list();
  assert.deepEqual(asked(), ["sessions"]);
  Deno.utimeSync(log, 1_790_000_001, 1_790_000_001);
  await list();
  assert.deepEqual(asked(), ["sessions", "events one"]);
});

test("a printed state decides instead of the files, in lists and in the index", async (home) => {
  const state = join(home.path, "state");
  Deno.writeTextFileSync(state, "v1");
  const line = '{"id":"one","files":["%s"],"state":"%s"}\\n';
  const asked = await countedReader(
    home,
    `[ "$2" = sessions ] && { printf '${line}' "$1/one.jsonl" "$(cat '${state}')"; exit; }`,
  );
  const list = () => home.succeed(["list", "--agent", "lines", "--all", "--exact"]);
  const index = () => home.succeed(["index", "build"]);
  await list();
  await index();
  asked();
  const log = join(home.path, "kept", "one.jsonl");
  Deno.writeTextFileSync(log, '{"kind":"user_message","payload":{"content":"Later?"}}\n', {
    append: true,
  });
  await list();
  await index();
  assert.deepEqual(asked(), ["sessions", "sessions"]);
  Deno.writeTextFileSync(state, "v2");
  await index();
  assert.deepEqual(asked(), ["sessions", "events one"]);
  await list();
  const { stdout } = await home.succeed(["search", "Later", "--all", "--agent", "lines"]);
  assert.match(stdout, /Later\?/);
});

test("doctor asks a reader for the events of its newest session", async (home) => {
  const asked = await countedReader(home, '[ "$2" = events ] && { echo no rows >&2; exit 4; }');
  Deno.copyFileSync(join(home.path, "kept/one.jsonl"), join(home.path, "kept/old.jsonl"));
  Deno.utimeSync(join(home.path, "kept/old.jsonl"), 1_700_000_000, 1_700_000_000);
  const { status, stdout } = await home.run(["doctor"]);
  assert.equal(status, 1);
  assert.match(stdout, /look: agents\.lines\.reader: .*ended with status 4: no rows/);
  assert.deepEqual(asked(), ["sessions", "events one"]);
});
