/**
 * Makes `dist/bundle`, a folder to serve: the library with types, and the program, in few files. Who
 * imports one of them by its URL makes few requests. Usage: `bundle.ts [FOLDER [--no-types]]`
 */
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin, stop } from "npm:esbuild@0.28.2";
import { withBuiltinRequire } from "./builtin_require.ts";
import { declarations, LIBRARY } from "./declarations.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const OUT = resolve(ROOT, Deno.args[0] ?? "dist/bundle");
const WORKERS = [
  "lib/library/search/scan/scan_worker",
  "lib/library/search/index/index_worker",
  "lib/library/search/index/update_worker",
  "lib/library/counts/exact/exact_worker",
  "lib/agents/engine/sqlite/check_worker",
];
/** Modules that come together, for those of the library that need most of them: one file, not one for each set. */
const TOGETHER = [
  {
    modules: [
      LIBRARY.mod,
      LIBRARY.pipeline,
      LIBRARY.store,
      "lib/core/platform/child_process.ts",
      "lib/core/platform/signals.ts",
      "lib/features/chat/tools/diff_lines.ts",
    ],
    for: (name: string) => name !== "mod",
  },
  {
    modules: [
      LIBRARY.library,
      LIBRARY.seal,
      "lib/text/redaction/redactor.ts",
      // Blame looks for files as search looks for words, and knows calls as hand-over does.
      "lib/library/search/scan/scan_session.ts",
      "lib/library/search/query.ts",
      "lib/core/event/call_input.ts",
    ],
    // Their functions take a library, or a session of one, or a library needs them.
    for: (name: string) =>
      /^(?:library|search|export|backup|handover|repair|seal|blame)$/.test(name),
  },
];
const WRITTEN = /\bimport\("(\.\.?\/[^"]+)"\)/g;

/** Bundles everything with its packages into many files, one for each set that is loaded together. */
async function split(folder: string): Promise<void> {
  const options = [
    "--quiet",
    "--lock=deno.lock",
    "--frozen",
    "--code-splitting",
    "--outdir",
    folder,
  ];
  const together = TOGETHER.flatMap(({ modules }) => modules.map(String));
  const workers = WORKERS.map((path) => `${path}.ts`);
  const modules = new Set([...Object.values(LIBRARY), ...together, "main.ts", ...workers]);
  const args = ["bundle", ...options, ...modules];
  const { success } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).spawn().status;
  if (!success) throw new Error("Cannot bundle: see above");
}

/** The part of a file's text that loads another, which is not evaluated before. */
function atOnce(path: string): string {
  return `Promise.resolve().then(() => require("${path}"))`;
}

/** Bundles parts again. Virtual ones have their texts here; `load` rewrites how parts load others. */
async function merge(
  folder: string,
  entryPoints: string[],
  virtual: Record<string, string>,
  load: (path: string, text: string) => string,
): Promise<void> {
  const parts: Plugin = {
    name: "parts",
    setup({ onResolve, onLoad }): void {
      onResolve(
        { filter: /^virtual:/ },
        ({ path }) => ({ path: path.slice("virtual:".length), namespace: "virtual" }),
      );
      onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /./, namespace: "virtual" }, ({ path }) => {
        return { contents: virtual[path] ?? "", resolveDir: folder };
      });
      onLoad({ filter: /\.js$/ }, async ({ path }) => {
        return { contents: load(path, withBuiltinRequire(await Deno.readTextFile(path))) };
      });
    },
  };
  await build({
    entryPoints: Object.fromEntries(entryPoints.map((name) => [name, `virtual:${name}`])),
    // Names of files hold hashes of paths below it.
    absWorkingDir: folder,
    outdir: OUT,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "esnext",
    charset: "utf8",
    logLevel: "warning",
    plugins: [parts],
  });
}

/** Bundles the library: one file for all that `mod` is, one for the pipeline, one for what others share beyond. */
async function bundleLibrary(folder: string): Promise<void> {
  const virtual = Object.fromEntries(
    Object.entries(LIBRARY).map(([name, path]) => {
      const all = `export * from "${path.replace(/\.ts$/, ".js")}";\n`;
      const together = TOGETHER.filter((group) => group.for(name)).flatMap(({ modules }) =>
        modules
      );
      const imports = together.map((path) => `import "./${path?.replace(/\.ts$/, ".js")}";\n`);
      return [name, imports.join("") + all];
    }),
  );
  const load = (_: string, text: string): string => {
    return text.replaceAll(WRITTEN, (_, to: string) => atOnce(to));
  };
  await merge(folder, Object.keys(LIBRARY), virtual, load);
  const workers = Object.fromEntries(WORKERS.map((path) => [path, `import "./${path}.js";\n`]));
  await merge(folder, WORKERS, workers, load);
}

/** The files that a file imports at once. */
async function importsOf(path: string): Promise<string[]> {
  const text = await Deno.readTextFile(path);
  return [...text.matchAll(/^(?:import|export)\b[^;(]*?"(\.\.?\/[^"]+)";$/gm)]
    .map(([, to = ""]) => join(path, "..", to));
}

/** Bundles the program: what every command needs, and in a file of its own what some need. */
async function bundleProgram(folder: string): Promise<void> {
  const main = join(folder, "main.js");
  // All but the version is behind what the main file loads by itself.
  const own = [...(await Deno.readTextFile(main)).matchAll(WRITTEN)];
  const start = new Set([main, ...own.map(([, to = ""]) => join(folder, to))]);
  for (const path of start) for (const to of await importsOf(path)) start.add(to);
  const later = new Map<string, string>();
  const load = (path: string, text: string): string =>
    text.replaceAll(WRITTEN, (_, to: string) => {
      if (path === main || !start.has(path)) return atOnce(to);
      const part = `./${relative(folder, join(path, "..", to))}`;
      const name = later.get(part) ?? `part${later.size}`;
      later.set(part, name);
      return `import("virtual:later").then((later) => later.${name}())`;
    });
  // Which parts are loaded later is known before the bundler asks for them.
  for (const path of start) load(path, await Deno.readTextFile(path));
  const parts = [...later].map(([part, name]) =>
    `export const ${name} = () => require("${part}");`
  );
  await merge(folder, ["main"], { main: `import "./main.js";\n`, later: parts.join("\n") }, load);
}

/** Writes the library's types, which only a checker or an editor asks for. */
async function declare(): Promise<void> {
  for (const [name, text] of await declarations("[name]-[hash]")) {
    await Deno.writeTextFile(join(OUT, name), text.replaceAll(/"(\.\/[^"]+)\.js"/g, '"$1.d.ts"'));
  }
  for (const name of Object.keys(LIBRARY)) {
    const path = join(OUT, `${name}.js`);
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, `/* @ts-self-types="./${name}.d.ts" */\n${text}`);
  }
}

if (import.meta.main) {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.remove(OUT, { recursive: true }).catch(() => {/* it was not there */});
    await split(folder);
    await bundleLibrary(folder);
    await bundleProgram(folder);
    if (!Deno.args.includes("--no-types")) await declare();
  } finally {
    await stop();
    await Deno.remove(folder, { recursive: true });
  }
}
