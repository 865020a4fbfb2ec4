/** The folder that `deno task bundle` makes to be served: few requests, and no more permissions. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { jsonLines } from "./_support/cli.ts";
import { CliHome, sessionId } from "./_support/cli_home.ts";
import { atFullSize, FULL_SIZE } from "./_support/full_size.ts";
import { assistant, user } from "./_support/log_bytes.ts";
import { assertNeedsItsStoreAlone } from "./_support/root_agent.ts";
import { runDeno, ServedFiles } from "./_support/served_files.ts";
import { ROOT } from "./_support/source_code.ts";

/** The bundle without its types, which take ten times as long to make as the rest. */
async function makeBundle(): Promise<string> {
  const folder = await Deno.makeTempDir();
  const script = fileURLToPath(new URL(".ci/bundle.ts", ROOT));
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "-A",
      "--lock=tests/deno.lock",
      "--frozen",
      script,
      folder,
      "--no-types",
    ],
    cwd: fileURLToPath(ROOT),
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return folder;
}

const bundle = FULL_SIZE ? await makeBundle() : "";
globalThis.addEventListener("unload", () => {
  if (bundle !== "") Deno.removeSync(bundle, { recursive: true });
});

/** Serves the bundle; a package that were not in it would be asked for here, too. */
function serve(folder = bundle): ServedFiles {
  return new ServedFiles(folder, /^\/(?:\d+\/)?(?:lib\/library\/search\/scan\/)?[\w-]+\.js$/);
}

/** Imports modules of the bundle by URLs that share nothing; gives what was asked for each. */
async function importCold(modules: [name: string, exported: string][]): Promise<string[][]> {
  await using home = new CliHome();
  await using served = serve(home.path);
  for (const index of modules.keys()) Deno.symlinkSync(bundle, join(home.path, `${index}`));
  const program = join(home.work, "program.ts");
  const lines = modules.map(([name, exported], index) =>
    `import { ${exported} } from ${JSON.stringify(`${served.url}/${index}/${name}.js`)};\n` +
    `console.log(typeof ${exported});\n`
  );
  await Deno.writeTextFile(program, lines.join(""));
  const flags = ["--no-prompt", `--allow-import=${served.host}`];
  const env = { NPM_CONFIG_REGISTRY: `${served.url}/npm` };
  const run = await runDeno(home, ["run", "--quiet", ...flags, program], env);
  const stdout = "function\n".repeat(modules.length);
  assert.deepEqual(run, { success: true, stdout, stderr: "" });
  const asked = lines.map((_, index) =>
    served.asked.filter((path) => path.startsWith(`/${index}/`))
  );
  assert.equal(asked.flat().length, served.asked.length);
  return asked;
}

async function assertClassesAreShared(): Promise<void> {
  await using home = new CliHome();
  const program = join(home.work, "program.ts");
  await Deno.writeTextFile(
    program,
    `import { openStore, SessionError } from ${JSON.stringify(join(bundle, "mod.js"))};
    import { openLibrary } from ${JSON.stringify(join(bundle, "library.js"))};
    const library = openLibrary({ root: ${JSON.stringify(home.store)} });
    const error = await library.open("ffff0000").catch((error) => error);
    console.log(error instanceof SessionError, error.code);`,
  );
  const run = await runDeno(home, ["run", "--quiet", "-A", program]);
  assert.deepEqual([run.stdout, run.stderr], ["true not-found\n", ""]);
}

Deno.test({
  // To make the bundle takes longer than most files of tests.
  ...atFullSize("mod.js comes in two requests, the others in at most four, with the same classes"),
  fn: async () => {
    const modules = {
      mod: "openStore",
      pipeline: "readEvents",
      library: "openLibrary",
      store: "openLocalStore",
      search: "searchSessions",
      export: "exportDocument",
      adapters: "agentsSession",
      backup: "watchSessions",
      handover: "planHandover",
      repair: "examineSession",
      seal: "makeIdentity",
      blame: "blameFile",
    };
    const [mod = [], ...others] = await importCold(Object.entries(modules));
    assert.equal(mod.length, 2);
    for (const asked of others) assert.ok(asked.length <= 4, asked.join(" "));
    await assertClassesAreShared();
  },
});

Deno.test({
  ...atFullSize("an agent on mod.js needs to read and write its store, and no more"),
  fn: async () => {
    await using served = serve();
    await using home = new CliHome();
    await assertNeedsItsStoreAlone(home, `${served.url}/mod.js`, `--allow-import=${served.host}`);
  },
});

Deno.test({
  ...atFullSize("main.js comes in three requests, and each command works"),
  fn: async () => {
    await using served = serve();
    await using home = new CliHome();
    home.keep(sessionId("aaaa"), [user("hi"), assistant("there")]);
    const env = { NPM_CONFIG_REGISTRY: `${served.url}/npm` };
    const run = (...args: string[]): ReturnType<typeof runDeno> =>
      runDeno(home, ["run", "--quiet", "-A", `${served.url}/main.js`, ...args], env);
    const listed = await run("list", "--json");
    assert.deepEqual([listed.success, listed.stderr], [true, ""]);
    assert.deepEqual(jsonLines(listed.stdout).map(({ title }) => title), ["hi"]);
    assert.equal(served.asked.length, 3, served.asked.join(" "));
    const lines: [string[], RegExp][] = [
      [["--version"], /^\d+\.\d+\.\d+\n$/],
      [["show", "aaaa"], /there/],
      [["search", "there"], /#3 .*\n +there$/m],
      [["export", "aaaa", "--format", "html"], /<!doctype html>[^]*there/i],
      [["stats", "--all"], /sessions/],
    ];
    for (const [args, found] of lines) {
      const { success, stdout, stderr } = await run(...args);
      assert.ok(success, `${args.join(" ")}: ${stderr}`);
      assert.match(stdout, found, args.join(" "));
    }
  },
});
