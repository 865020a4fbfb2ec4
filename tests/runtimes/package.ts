/** The tarball is small, and what is installed from it keeps sessions under each runtime. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { installedPackage, PACKAGES, runTool } from "../_support/installed_package.ts";
import { ROOT } from "../_support/source_code.ts";
import { inDirectory, withDirectory } from "../_support/temp_directory.ts";
import { commandLines, deno, run } from "./_command_lines.ts";

// Decisions 129 and 287.
const MAX_TARBALL_BYTES = { core: 200_000, library: 760_000, reprise: 400_000 };

Deno.test("the tarballs are small", async () => {
  const { tarball_bytes } = await installedPackage();
  for (const name of PACKAGES) {
    assert.ok(tarball_bytes[name] < MAX_TARBALL_BYTES[name], `${name}: ${tarball_bytes[name]}`);
  }
});

Deno.test("the core needs no other package, and the library only the core of ours", async () => {
  const { folder } = await installedPackage();
  const needs = PACKAGES.map((name) => {
    const path = join(folder, "node_modules", "@reprise", name, "package.json");
    return Object.keys(JSON.parse(Deno.readTextFileSync(path)).dependencies);
  });
  assert.deepEqual(needs[0], []);
  assert.deepEqual(needs[1]?.filter((name) => name.startsWith("@reprise/")), ["@reprise/core"]);
});

Deno.test("each package names its repository, which a proof of its origin is compared with", async () => {
  const { folder } = await installedPackage();
  for (const name of PACKAGES) {
    const path = join(folder, "node_modules", "@reprise", name, "package.json");
    const { repository } = JSON.parse(Deno.readTextFileSync(path));
    assert.deepEqual(repository, {
      type: "git",
      url: "git+https://github.com/reprise/reprise.git",
    });
  }
});

Deno.test("a class is the same in all packages, and a stack trace names functions", async () => {
  const { folder, runtimes } = await installedPackage();
  const program = join(folder, "errors.mjs");
  await Deno.writeTextFile(
    program,
    `import { SessionError } from "@reprise/core";
import { openLibrary } from "@reprise/library";
import { SessionError as same } from "@reprise/reprise";
try {
  await openLibrary({ root: ${JSON.stringify(folder)} }).open("nothing1");
} catch (error) {
  console.log(JSON.stringify([error instanceof SessionError, same === SessionError, error.stack]));
}
`,
  );
  for (const { name, program: runtime } of runtimes) {
    const [isError, isSame, stack] = JSON.parse(await runTool(runtime, [program], folder));
    assert.deepEqual([isError, isSame], [true, true], name);
    assert.match(stack, /Cannot find session "nothing1"[^]*\bfindById\b/, name);
    for (const line of stack.split("\n")) assert.ok(line.length < 300, line);
  }
});

Deno.test("types keep their documentation, members included", async () => {
  const { folder } = await installedPackage();
  const path = join(folder, "node_modules", "@reprise", "core", "types", "types-core.d.ts");
  const text = await Deno.readTextFile(path);
  for (const words of ["@throws {SessionError}", "@example", "Resolves when"]) {
    assert.ok(text.includes(words), words);
  }
  const [, store = ""] = /^interface Store [^{]*\{\n([^]*?)^\}/m.exec(text) ?? [];
  const members = [...store.matchAll(/^ {4}(?:readonly )?\w+(?:<[^>]*>)?[(:?]/gm)].length;
  assert.ok(members > 5, store);
  assert.equal([...store.matchAll(/^ {4}\/\*\*/gm)].length, members);
});

Deno.test("shapes can be bundled for browsers and workers", async () => {
  const { folder } = await installedPackage();
  const program = join(folder, "shapes.mjs");
  await Deno.writeTextFile(program, 'export * from "@reprise/core/shapes";\n');
  const text = await runTool(
    Deno.execPath(),
    [
      ...["run", "-A", "--quiet", "--no-lock", "npm:esbuild@0.28.2", program],
      ...["--bundle", "--format=esm", "--platform=browser", "--log-level=error"],
    ],
    folder,
  );
  assert.ok(text.length > 10_000 && !/from "node:/.test(text), text.slice(0, 200));
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

Deno.test("under an old Node every command says which one it needs", async () => {
  const { folder, runtimes, command } = await installedPackage();
  const old = join(folder, "old.cjs");
  const versions = 'value: { ...process.versions, node: "20.18.1" }';
  await Deno.writeTextFile(old, `Object.defineProperty(process, "versions", { ${versions} });\n`);
  const node = runtimes.find(({ name }) => name === "node")?.program ?? "";
  for (const more of [["list"], ["--version"], []]) {
    const args = ["-r", old, command, ...more];
    const { code, stdout, stderr } = await new Deno.Command(node, { args, cwd: folder }).output();
    const said = new TextDecoder().decode(stderr);
    assert.deepEqual([code, stdout.length], [1, 0], said);
    assert.match(
      said,
      /^Cannot run reprise: it needs Node 22\.15 or later, and this is 20\.18\.1\./,
    );
  }
});

/** The examples of a page. */
async function examplesOf(page: string): Promise<string[]> {
  const text = await Deno.readTextFile(new URL(page, ROOT));
  return [...text.matchAll(/^```ts\n([^]*?)^```/gm)].map(([, program = ""]) => program);
}

Deno.test("the examples of README and LIBRARY run as pasted under each runtime", async () => {
  const { folder, runtimes } = await installedPackage();
  const programs = [...await examplesOf("README.md"), ...await examplesOf(".github/LIBRARY.md")];
  assert.ok(programs.length > 5, `${programs.length}`);
  const deno = { name: "deno", program: Deno.execPath() };
  await withDirectory(async (home) => {
    const env = { HOME: home, REPRISE_HOME: join(home, "store"), DENO_DIR: join(folder, "deno") };
    for (const [index, text] of programs.entries()) {
      const path = join(folder, `example${index}.mjs`);
      await Deno.writeTextFile(path, text);
      for (const { name, program } of [...runtimes, deno]) {
        const args = name === "deno" ? ["run", "-A", "--quiet", path] : [path];
        const { success, stderr } = await new Deno.Command(program, { args, cwd: folder, env })
          .output();
        assert.ok(success, `${name}: ${text}\n${new TextDecoder().decode(stderr)}`);
      }
    }
  });
});

inDirectory.test("each runtime records into one session, and goes on with what another wrote", async (home) => {
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
    const verified = await run({ ...line, home }, ["doctor", id]);
    assert.equal(verified.code, 0, `${name}: ${verified.stdout}${verified.stderr}`);
  }
});
