/** The command from the npm package does under Node and Bun what it does under Deno. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cliEnvironment } from "../_support/cli.ts";
import { installedPackage, runTool } from "../_support/installed_package.ts";
import { ROOT } from "../_support/source_code.ts";
import { withDirectory } from "../_support/temp_directory.ts";

const MAX_TARBALL_BYTES = 400_000;

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** A command line with a home of its own. */
interface CommandLine {
  program: string;
  args: string[];
  home: string;
}

async function run({ program, args, home }: CommandLine, more: string[], input = ""): Promise<Ran> {
  const child = new Deno.Command(program, {
    args: [...args, ...more],
    cwd: home,
    clearEnv: true,
    env: cliEnvironment({ home }),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: withoutNow(decoder.decode(stdout)), stderr: decoder.decode(stderr) };
}

/** Output without the time at which it was made. */
function withoutNow(text: string): string {
  return text.replaceAll(/Exported <time[^>]*>[^<]*<\/time>/g, "Exported");
}

const deno = {
  program: Deno.execPath(),
  args: ["run", "-A", "--quiet", fileURLToPath(new URL("main.ts", ROOT))],
};

async function commandLines(): Promise<{ name: string; program: string; args: string[] }[]> {
  const { runtimes, command } = await installedPackage();
  return runtimes.map(({ name, program }) => ({ name, program, args: [command] }));
}

/** Runs a test with a copy of the demo store. */
async function withDemo(test: (home: string) => Promise<void>): Promise<void> {
  await withDirectory(async (home) => {
    const demo = fileURLToPath(new URL("testdata/demo", ROOT));
    await runTool("cp", ["-r", demo, join(home, "store")], home);
    // Modes of a checkout may be wider than those of a store.
    await runTool("chmod", ["-R", "go-rwx", join(home, "store")], home);
    await test(home);
  });
}

/** Command lines whose output must be the same everywhere. */
const READING: string[][] = [
  ["--version"],
  ["--help"],
  ["list", "--all"],
  ["list", "--all", "--json"],
  ["list", "--all", "--no-catalogue"],
  ["show", "8d1f0c4e"],
  ["show", "8d1f0c4e", "--json"],
  ["conversation", "8d1f0c4e"],
  ["export", "8d1f0c4e", "--format", "markdown"],
  ["export", "8d1f0c4e", "--format", "html"],
  ["search", "balance", "--all"],
  ["search", "balance", "--all", "--no-index"],
  ["stats", "--all"],
  ["verify", "8d1f0c4e"],
  ["secrets", "8d1f0c4e"],
  ["doctor"],
  ["path", "8d1f0c4e"],
  ["show", "nothing"],
  ["list", "--bogus"],
];

Deno.test("the tarball is small", async () => {
  const { tarball_bytes } = await installedPackage();
  assert.ok(tarball_bytes < MAX_TARBALL_BYTES, `${tarball_bytes}`);
});

Deno.test("each entry of the package has its own names under Node and Bun", async () => {
  const { folder, runtimes } = await installedPackage();
  const { exports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT))) as {
    exports: Record<string, string>;
  };
  for (const [entry, path] of Object.entries(exports)) {
    const ours = Object.keys(await import(new URL(path, ROOT).href)).sort();
    const name = entry.replace(".", "@reprise/reprise");
    const program = join(folder, "names.mjs");
    const print = "console.log(JSON.stringify(Object.keys(names).sort()));";
    await Deno.writeTextFile(program, `import * as names from "${name}";\n${print}\n`);
    for (const runtime of runtimes) {
      const printed = await runTool(runtime.program, [program], folder);
      assert.deepEqual(JSON.parse(printed), ours, `${runtime.name}: ${name}`);
    }
  }
});

Deno.test("what is read is printed alike under Deno, Node and Bun", async () => {
  await withDemo(async (home) => {
    for (const more of READING) {
      const expected = await run({ ...deno, home }, more);
      if (more[0] === "list" && more[1] === "--all") assert.match(expected.stdout, /8d1f0c4e/);
      for (const { name, ...line } of await commandLines()) {
        assert.deepEqual(
          await run({ ...line, home }, more),
          expected,
          `${name}: ${more.join(" ")}`,
        );
      }
    }
  });
});

Deno.test("each runtime records into one session, and goes on with what another wrote", async () => {
  await withDirectory(async (home) => {
    const lines = [{ name: "deno", ...deno }, ...await commandLines()];
    const texts = ["first", "second", "third"];
    let id = "";
    for (const [index, { name, ...line }] of lines.entries()) {
      const event = { kind: "user_message", payload: { content: texts[index] } };
      const resume = id === "" ? [] : ["--resume", id];
      const ran = await run({ ...line, home }, ["record", ...resume], JSON.stringify(event) + "\n");
      assert.equal(ran.code, 0, `${name}: ${ran.stderr}`);
      const answer = JSON.parse(ran.stdout.split("\n")[0] ?? "") as Record<string, unknown>;
      assert.equal(answer.state, "synced", name);
      id = String(answer.session_id);
    }
    for (const { name, ...line } of lines) {
      const shown = await run({ ...line, home }, ["show", id]);
      for (const text of texts) assert.ok(shown.stdout.includes(text), `${name}: ${text}`);
      const verified = await run({ ...line, home }, ["verify", id]);
      assert.equal(verified.code, 0, `${name}: ${verified.stdout}${verified.stderr}`);
    }
  });
});
