/** Tests in one file that Node and Bun run, and the programs that these start. */
import { basename, dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin, stop } from "npm:esbuild@0.28.2";
import { ROOT, sourcesIn } from "./source_code.ts";

const DENO = fileURLToPath(new URL("tests/_support/deno_over_node/mod.ts", ROOT));
const TESTS = DENO.replace(/mod\.ts$/, "tests.ts");
/** Programs that tests start. */
const CHILD = /^tests\/(?:_support\/children\/|.*\/_\w+_child\.ts$)/;

const SPECIFIER = /^npm:((?:@[^/]+\/)?[^@/]+)@([^/]+)/;

/** How a bundle is made in which some modules are programs of their own; notes its packages. */
function asNode(programs: ReadonlySet<string>, packages: Record<string, string>): Plugin {
  return {
    name: "as-node",
    setup({ onLoad, onResolve }): void {
      onResolve({ filter: /^npm:/ }, ({ path }) => {
        const [found = "", name = "", version = ""] = SPECIFIER.exec(path) ?? [];
        packages[name] = version;
        return { path: path.replace(found, name), external: true };
      });
      onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /\/tests\/.*\.ts$/ }, async ({ path }) => {
        if (dirname(path) === dirname(DENO)) return undefined;
        const name = path.slice(fileURLToPath(ROOT).length);
        const source = (await Deno.readTextFile(path))
          .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
          .replaceAll("import.meta.main", String(programs.has(name)));
        const head = [`import { Deno } from ${JSON.stringify(DENO)};`];
        if (name.endsWith("_test.ts")) {
          head.push(`import { testsOf } from ${JSON.stringify(TESTS)};`);
          head.push(`testsOf(${JSON.stringify(name)});`);
        }
        return { contents: head.join(" ") + "\n" + source, loader: "ts" };
      });
      onLoad({ filter: /\/main\.ts$/ }, async ({ path }) => ({
        contents: (await Deno.readTextFile(path)).replaceAll("import.meta.main", "true"),
        loader: "ts",
      }));
    },
  };
}

const OPTIONS = {
  absWorkingDir: fileURLToPath(ROOT),
  bundle: true,
  format: "esm",
  target: "node22",
  outExtension: { ".js": ".mjs" },
  logLevel: "error",
} as const;

/** Runs the tests but those of the argument, and says how each ended in a line of JSON. */
const RUN = `
const skipped = JSON.parse(process.argv[2] ?? "[]");
for await (const outcome of runTests(skipped)) process.stdout.write(JSON.stringify(outcome) + "\\n");
process.exit(0);
`;

/**
 * Makes `tests.mjs` in a folder of the given test files, with the programs beside it.
 *
 * @returns The packages that they need, with their versions.
 */
export async function bundleTests(
  files: readonly string[],
  outdir: string,
): Promise<Record<string, string>> {
  const packages: Record<string, string> = {};
  const children = sourcesIn("tests/").map(([path]) => path).filter((path) => CHILD.test(path));
  const imports = [TESTS, ...files.map((file) => `./${file}`)].map((path, index) =>
    `import ${index === 0 ? "{ runTests } from " : ""}${JSON.stringify(path)};\n`
  );
  try {
    await Promise.all([
      build({
        ...OPTIONS,
        stdin: {
          contents: imports.join("") + RUN,
          resolveDir: fileURLToPath(ROOT),
          sourcefile: "tests.ts",
          loader: "ts",
        },
        outfile: `${outdir}/tests.mjs`,
        plugins: [asNode(new Set(), packages)],
      }),
      build({
        ...OPTIONS,
        entryPoints: Object.fromEntries(
          [...children, "main.ts"].map((path) => [basename(path, ".ts"), path]),
        ),
        splitting: true,
        outdir,
        plugins: [asNode(new Set(children), packages)],
      }),
    ]);
  } finally {
    await stop();
  }
  return packages;
}
