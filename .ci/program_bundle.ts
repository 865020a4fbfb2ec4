/**
 * Bundles the program for `deno run` and `deno compile`: `program_bundle.ts FOLDER [PROGRAM]`. FOLDER
 * gets `main.js`, the files that it loads later, and the modules of its threads.
 *
 * The modules that every command loads become one file: to find, read and link fifty small ones takes
 * 3 % of the time in which a list starts. Minified, it starts 5 % sooner.
 */
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, stop } from "npm:esbuild@0.28.2";
import { withBuildDay } from "./build_day.ts";
import { withBuiltinRequire } from "./builtin_require.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** The threads' modules; the bundle puts them below its folder `lib`, with what they share. */
const WORKERS = [
  "lib/library/search/scan/scan_worker.ts",
  "lib/library/search/index/index_worker.ts",
  "lib/library/search/index/update_worker.ts",
  "lib/library/counts/exact/exact_worker.ts",
  "lib/agents/engine/sqlite/check_worker.ts",
];

async function bundle(...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--code-splitting", ...args],
    cwd: ROOT,
    env: { DENO_TLS_CA_STORE: Deno.env.get("DENO_TLS_CA_STORE") ?? "system,mozilla" },
  }).output();
  if (!success) throw new Error(`Cannot bundle: ${new TextDecoder().decode(stderr)}`);
}

/**
 * Joins and minifies bundled modules. Not by `deno bundle --minify`: its esbuild (0.25.5 in Deno 2.7.11)
 * puts a value declared by `using` where it is used once, so that it is never disposed of.
 */
async function minify(modules: readonly string[], folder: string): Promise<void> {
  await build({
    entryPoints: [...modules],
    outdir: resolve(folder),
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    target: "esnext",
    charset: "utf8",
    external: ["node:*"],
    logLevel: "warning",
  });
}

function namesIn(path: string, pattern: RegExp): string[] {
  return [...Deno.readTextFileSync(path).matchAll(pattern)].map(([, file = ""]) => file);
}

/** The files that a file imports at once; a file that it may load later is written `import(…)`. */
function importsOf(path: string): string[] {
  return namesIn(path, /^import\b[^;(]*?"\.\/([^"/]+\.js)";$/gm);
}

/**
 * Lets the files that are loaded later import all that is there by then. A bundler makes a file for each
 * set of modules that are reached from the same places: bundled again, the start is one such set.
 */
function joinStart(folder: string, main: string): void {
  // All but the version is behind the file that the main file loads by itself.
  const at_start = new Set([
    main,
    ...namesIn(`${folder}/${main}`, /\bimport\("\.\/([^"/]+\.js)"\)/g),
  ]);
  for (const name of at_start) {
    for (const file of importsOf(`${folder}/${name}`)) at_start.add(file);
  }
  const imports = [...at_start].filter((name) => name !== main)
    .map((name) => `import "./${name}";\n`).join("");
  for (const { name, isFile } of [...Deno.readDirSync(folder)]) {
    if (!isFile || !name.endsWith(".js")) continue;
    const text = withBuildDay(withBuiltinRequire(Deno.readTextFileSync(`${folder}/${name}`)));
    Deno.writeTextFileSync(`${folder}/${name}`, at_start.has(name) ? text : imports + text);
  }
}

/** Bundles a program into a folder; returns the path of its main file. */
export async function bundleProgram(folder: string, program = "main.ts"): Promise<string> {
  const main = `${basename(program, ".ts")}.js`;
  const split = await Deno.makeTempDir();
  const threads = program === "main.ts" ? WORKERS : [];
  try {
    await bundle("--lock=deno.lock", "--outdir", split, program);
    // No import of the program leads to a thread. Files that both shared would bring it all that is
    // loaded at start. Not at the same time: the first `deno bundle` of a machine installs esbuild,
    // and a second one would start it while it is written ("Text file busy").
    if (threads.length > 0) {
      await bundle("--lock=deno.lock", "--outdir", `${split}/lib`, ...threads);
    }
    joinStart(split, main);
    await minify([`${split}/${main}`], folder);
    if (threads.length > 0) {
      const modules = threads.map((path) => `${split}/${path.replace(/ts$/, "js")}`);
      await minify(modules, resolve(folder, "lib"));
    }
  } finally {
    await stop();
    await Deno.remove(split, { recursive: true });
  }
  return resolve(folder, main);
}

if (import.meta.main) {
  const [folder = "dist", program] = Deno.args;
  await bundleProgram(folder, program);
}
