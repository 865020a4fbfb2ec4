/** `reprise config set agents.NAME.reader`, and what commands do with such an agent. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { CliHome } from "../_support/cli_home.ts";
import { testsWith } from "../_support/tests_in.ts";
import { UNIX } from "../_support/needing.ts";
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

const { test } = testsWith(furnished, UNIX);

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

test("doctor asks a reader for the events of its newest session", async (home) => {
  const asked = await countedReader(home, '[ "$2" = events ] && { echo no rows >&2; exit 4; }');
  Deno.copyFileSync(join(home.path, "kept/one.jsonl"), join(home.path, "kept/old.jsonl"));
  Deno.utimeSync(join(home.path, "kept/old.jsonl"), 1_700_000_000, 1_700_000_000);
  const { status, stdout } = await home.run(["doctor"]);
  assert.equal(status, 1);
  assert.match(stdout, /look: agents\.lines\.reader: .*ended with status 4: no rows/);
  assert.deepEqual(asked(), ["sessions", "events one"]);
});
