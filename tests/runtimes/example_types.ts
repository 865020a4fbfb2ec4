/**
 * The examples in the packages' documentation, as an editor shows them: each compiles with strict
 * types under the ways in which TypeScript resolves modules, and runs on Node as it stands. Slow:
 * the packages are made, and TypeScript is installed.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT } from "../_support/source_code.ts";
import { installedPackage, placeBeside, runTool } from "../_support/installed_package.ts";

const TYPES = ["typescript@5.9.3", "@types/node@22.19.1"];

/** Extracts the examples of the documentation in declarations. */
function examplesIn(declarations: string): string[] {
  return [...declarations.matchAll(/^ *\* ```ts\n((?:^ *\*(?! ```).*\n)*)/gm)].map((
    [, text = ""],
  ) => text.replaceAll(/^ *\* ?/gm, ""));
}

const PAGES = [".github/LIBRARY.md", "README.md"];

/** Extracts the examples of a page. */
function examplesOnPage(page: string): string[] {
  return [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, text = ""]) => text);
}

/** Writes each example of the pages, the core and the library to a file, and returns their names. */
async function writeExamples(folder: string, { pages = false } = {}): Promise<string[]> {
  await Deno.mkdir(join(folder, "examples"), { recursive: true });
  const names: string[] = [];
  const write = async (name: string, example: string): Promise<void> => {
    const path = join("examples", `${name}_${names.length}.mts`);
    await Deno.writeTextFile(join(folder, path), `${example}\nexport {};\n`);
    names.push(path);
  };
  if (pages) {
    for (const page of PAGES) {
      const text = await Deno.readTextFile(new URL(page, ROOT));
      for (const example of examplesOnPage(text)) await write("page", example);
    }
  }
  for (const name of ["core", "library"]) {
    const types = join(folder, "node_modules", "@reprise", name, "types");
    for (
      const { name: file } of [...Deno.readDirSync(types)].sort((a, b) => a.name < b.name ? -1 : 1)
    ) {
      for (const example of examplesIn(await Deno.readTextFile(join(types, file)))) {
        await write(name, example);
      }
    }
  }
  return names;
}

Deno.test("each example compiles under node16, nodenext and bundler, and names no other runtime", async () => {
  const folder = await placeBeside("examples", ["core", "library"], TYPES);
  const examples = await writeExamples(folder, { pages: true });
  assert.ok(examples.length > 80, `${examples.length}`);
  for (const path of examples) {
    assert.doesNotMatch(await Deno.readTextFile(join(folder, path)), /\bDeno\b/, path);
  }
  const ways = [["node16", "node16"], ["nodenext", "nodenext"], ["esnext", "bundler"]];
  for (const [module, moduleResolution] of ways) {
    const compilerOptions = {
      ...{ module, moduleResolution, target: "es2022", lib: ["esnext", "dom"], types: ["node"] },
      ...{ strict: true, noUncheckedIndexedAccess: true, noEmit: true },
    };
    const project = join(folder, `tsconfig.${moduleResolution}.json`);
    await Deno.writeTextFile(project, JSON.stringify({ compilerOptions, files: examples }));
    const tsc = join(folder, "node_modules", "typescript", "bin", "tsc");
    const found = await new Deno.Command("node", { args: [tsc, "-p", project], cwd: folder })
      .output();
    assert.equal(new TextDecoder().decode(found.stdout), "", moduleResolution);
  }
});

Deno.test("the core's types need no library beyond ES2022 and the DOM", async () => {
  const folder = await placeBeside("examples", ["core", "library"], TYPES);
  const file = join(folder, "es2022.mts");
  await Deno.writeTextFile(file, 'import { openStore } from "@reprise/core";\nopenStore();\n');
  const compilerOptions = {
    ...{ module: "nodenext", target: "es2022", lib: ["es2022", "dom"], types: [] },
    ...{ strict: true, noEmit: true, skipLibCheck: false },
  };
  const project = join(folder, "tsconfig.es2022.json");
  await Deno.writeTextFile(project, JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = join(folder, "node_modules", "typescript", "bin", "tsc");
  const found = await new Deno.Command("node", { args: [tsc, "-p", project], cwd: folder })
    .output();
  assert.equal(new TextDecoder().decode(found.stdout), "");
});

Deno.test("each example runs on Node as it stands", async () => {
  const { runtimes } = await installedPackage();
  const folder = await placeBeside("examples", ["core", "library"], TYPES);
  const node = runtimes.find(({ name }) => name === "node");
  assert.ok(node);
  const home = await Deno.makeTempDir();
  try {
    for (const path of await writeExamples(folder)) {
      const run = join(folder, path);
      // Types are removed by Node itself.
      await runTool(node.program, ["--experimental-strip-types", "--no-warnings", run], home);
    }
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
