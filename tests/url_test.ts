/** The program and the library, loaded from a URL as from a repository's raw files. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandRun } from "./_support/children/commands_child.ts";
import { cliEnvironment, jsonLines } from "./_support/cli.ts";
import { CliHome, sessionId } from "./_support/cli_home.ts";
import { atFullSize } from "./_support/full_size.ts";
import { assistant, user } from "./_support/log_bytes.ts";
import { ON_DISK } from "./_support/memory_folder.ts";
import { childPath } from "./_support/processes.ts";
import { type DenoRun, runDeno, ServedFiles } from "./_support/served_files.ts";
import { ROOT } from "./_support/source_code.ts";

/** The product's files. */
class Repository extends ServedFiles {
  constructor() {
    super(fileURLToPath(ROOT), /^\/(?:lib|commands)\/[\w/]+\.ts$|^\/\w+\.ts$|^\/deno\.json$/);
  }
}

/** Runs Deno with a cache of its own, but for the npm packages. */
async function deno(home: CliHome, args: readonly string[]): Promise<DenoRun> {
  const cache = join(home.path, "cache");
  if (!await Deno.stat(cache).catch(() => undefined)) {
    await Deno.mkdir(cache);
    const npm = join(cliEnvironment({ home: home.path }).DENO_DIR ?? "", "npm");
    await Deno.symlink(npm, join(cache, "npm"), { type: "junction" });
  }
  return await runDeno(home, args);
}

Deno.test({
  // All modules are loaded and compiled, with nothing kept of any run before.
  ...atFullSize("the program runs from a URL"),
  fn: async () => {
    await using repository = new Repository();
    await using home = new CliHome();
    home.keep(sessionId("aaaa"), [user("hi"), assistant("there")]);
    const main = ["run", "--quiet", "-A", `${repository.url}/main.ts`];
    const listed = await deno(home, [...main, "list", "--json"]);
    assert.deepEqual([listed.success, listed.stderr], [true, ""]);
    assert.deepEqual(jsonLines(listed.stdout).map(({ title }) => title), ["hi"]);
    assert.ok(repository.asked.includes("/main.ts") && repository.asked.includes("/deno.json"));
    const lines: [string[], RegExp][] = [
      [["--version"], /^\d/],
      [["show", "aaaa"], /there/],
      [["search", "there"], /#3 .*\n +there$/m],
      [["export", "aaaa", "--format", "html"], /<!doctype html>[^]*there/i],
      [["index", "build"], /sessions +1 of 1/],
      [["search", "there"], /#3 .*\n +there$/m],
      [["secrets", "aaaa"], /^$/],
      [["fork", "aaaa"], /^[0-9a-f-]{36}\n$/],
    ];
    // What a command loads only when it needs it comes from there too.
    const module = `${repository.url}/commands/_run.ts`;
    const script = JSON.stringify({ module, lines: lines.map(([args]) => ({ args })) });
    const child = await deno(home, ["run", "--quiet", "-A", childPath("commands_child"), script]);
    const runs: CommandRun[] = JSON.parse(child.stdout);
    for (const [index, [args, found]] of lines.entries()) {
      const { status, stdout, stderr } = runs[index] ?? assert.fail(child.stderr);
      assert.equal(status, 0, `${args.join(" ")}: ${stderr}`);
      assert.match(stdout, found, args.join(" "));
    }
  },
});

async function importFromUrl(...flags: string[]): Promise<void> {
  await using repository = new Repository();
  await using home = new CliHome(ON_DISK);
  const program = join(home.work, "agent.ts");
  await Deno.writeTextFile(
    program,
    `import { openStore } from "${repository.url}/mod.ts";
    const store = openStore();
    const session = store.create({ cwd: Deno.cwd() });
    await session.append({ kind: "user_message", payload: { content: "Hello" } });
    await session.finish();
    const { messages, summary } = await store.load(session.id);
    console.log(JSON.stringify({ messages, status: summary.status }));\n`,
  );
  const run = await deno(home, [
    ...["run", "--quiet", ...flags, "--allow-read", "--allow-write", "--allow-env", "--allow-sys"],
    `--allow-import=${repository.host}`,
    program,
  ]);
  assert.equal(run.stderr, "");
  assert.deepEqual(JSON.parse(run.stdout), {
    messages: [{ role: "user", content: "Hello" }],
    status: "completed",
  });
  assert.ok(repository.asked.includes("/mod.ts"));
  assert.ok(!repository.asked.some((path) => path.startsWith("/commands/")));
}

// Slow: the library is loaded and compiled with an empty cache.
Deno.test("a program imports the library from a URL, keeps a session and loads it again", () =>
  importFromUrl());

Deno.test({
  // The compiler alone takes longer than most files of tests.
  ...atFullSize("the types of the library are those of a program that imports it from a URL"),
  fn: () => importFromUrl("--check"),
});
