/**
 * Makes three npm packages in `dist/npm`, for Node, Bun and Deno: `core`, `library` and `reprise`.
 * Each is plain JavaScript that keeps its names and lines, with types and their documentation.
 * `npm pack dist/npm/core` makes a tarball. The same sources give the same bytes.
 *
 * What several entries share is a file of the smallest package that needs it. The larger packages
 * import it from there, so a class is the same in all of them.
 */
import { basename, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin, stop, transform } from "npm:esbuild@0.28.2";
import configuration from "../deno.json" with { type: "json" };
import { withBuildDay } from "./build_day.ts";
import { declarations, LIBRARY } from "./declarations.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const OUT = `${ROOT}dist/npm/`;

/** A package, smallest first. Entries are those of `deno.json`. */
interface Package {
  name: string;
  description: string;
  /** The entry that its name alone imports. */
  main: string;
  entries: readonly string[];
}

const PACKAGES: readonly Package[] = [
  {
    name: "core",
    description: "Saves sessions of coding agents in a log that no crash can lose",
    main: "mod",
    entries: ["mod", "pipeline", "shapes", "adapters", "store"],
  },
  {
    name: "library",
    description: "Finds, reads, searches, exports and hands over sessions of coding agents",
    main: "library",
    entries: ["library", "search", "export", "handover", "backup", "repair", "blame", "seal"],
  },
  {
    name: "reprise",
    description: "Stores, reads and resumes the sessions of coding agents",
    main: "mod",
    entries: ["main"],
  },
];
const PROGRAM = PACKAGES.length - 1;
const SITE = "https://github.com/reprise/reprise";
/** Heading of LIBRARY.md whose example stands on the page of a package. */
const EXAMPLES = ["Title, archive, delete", "Handing sessions over"];
/** Files of what entries always load, in the order in which they are made: shapes need no store. */
const JOINED = { shapes: "shapes-core.js", mod: "core.js" };

/** The packages that the code imports, with their exact versions. */
const versions = new Map<string, string>();

const SPECIFIER = /^npm:((?:@[^/]+\/)?[^@/]+)@([^/]+)(\/.*)?$/;

/** The name by which Node imports a package. Notes its version. */
function nodeName(specifier: string): string {
  const [, name = "", version = "", path = ""] = SPECIFIER.exec(specifier) ?? [];
  versions.set(name, version);
  return name + path;
}

const packages: Plugin = {
  name: "packages",
  setup({ onResolve, onLoad }): void {
    onResolve({ filter: /^npm:/ }, ({ path }) => ({ path: nodeName(path), external: true }));
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true }));
    // Of the configuration, only the version is the program's business.
    const { version } = configuration;
    onLoad(
      { filter: /deno\.json$/ },
      () => ({ contents: JSON.stringify({ version }), loader: "json" }),
    );
  },
};

/** The index of the package that has an entry. */
function packageOf(entry: string): number {
  const index = PACKAGES.findIndex(({ entries }) => entries.includes(entry));
  if (index < 0) throw new Error(`Cannot pack entry "${entry}": add it to a package`);
  return index;
}

/** Files of a bundle, by name: the text, and the package that has it. */
type Files = Map<string, { text: string; owner: number }>;

function isChunk(name: string): boolean {
  return name.startsWith("chunk-");
}

/** Bundles all entries. What several of them need, or load later, are files of their own. */
async function bundle(): Promise<Files> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    outdir: OUT,
    entryPoints: { main: "main.ts", ...LIBRARY },
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "node22",
    charset: "utf8",
    minifySyntax: true,
    logLevel: "warning",
    chunkNames: "[name]-[hash]",
    define: { "import.meta.main": "true" },
    plugins: [packages],
  });
  const owners = ownersOf(metafile);
  const chunks = outputFiles.map(({ path }) => relative(OUT, path)).filter(isChunk);
  const numbered = (text: string): string =>
    text.replaceAll(/\bchunk-\w+\.js/g, (name) => `chunk-${chunks.indexOf(name)}.js`);
  return new Map(outputFiles.map(({ path, text }) => {
    const name = relative(OUT, path);
    // Modules have no effects, so a file is not imported for its own sake.
    // The bundler's comments name sources that are not in the package. Lists take a line each.
    const needed = withBuildDay(text)
      .replaceAll(/^(?:import "\.\/[^"]*";|\/\/ (?:lib|commands|npm:)\S*)\n/gm, "")
      .replaceAll(/^(?:import|export) \{[^}]*\}/gm, (list) => list.replaceAll(/\s+/g, " "));
    return [numbered(name), { text: numbered(needed), owner: owners.get(name) ?? PROGRAM }];
  }));
}

/** The files that a file imports at once; what it may load later is written `import(…)`. */
function importsOf(text: string): string[] {
  return [...text.matchAll(/^import\b[^;(]*?"\.\/([^"/]+\.js)";$/gm)].map(([, name = ""]) => name);
}

function closureOf(files: Files, start: string): Set<string> {
  const reached = new Set([start]);
  for (const name of reached) {
    for (const to of importsOf(files.get(name)?.text ?? "")) reached.add(to);
  }
  return reached;
}

/** The name by which a file of several exports what one of them exported: numbered if others have it. */
type JoinedName = (name: string, index: number) => string;

const NAMED_IMPORT = /^import \{([^}]*)\} from "\.\/([^"/]+\.js)";$/gm;

/** Takes from a joined file what a text imports of its parts. */
function fromJoined(
  text: string,
  parts: readonly string[],
  joined: string,
  joinedName: JoinedName,
): string {
  const all: string[] = [];
  const rest = text.replaceAll(NAMED_IMPORT, (found, list: string, file: string) => {
    const index = parts.indexOf(file);
    if (index < 0) return found;
    all.push(
      ...list.split(",").map((one) => {
        const [name = "", alias = name] = one.trim().split(" as ");
        const exported = joinedName(name, index);
        return exported === alias ? alias : `${exported} as ${alias}`;
      }),
    );
    return "";
  });
  return all.length === 0 ? text : `import { ${all.join(", ")} } from "./${joined}";\n${rest}`;
}

/**
 * Joins what an entry always loads into one file: to load a hundred small ones takes twice as long.
 * Entries, and files that are loaded later too, keep their own names.
 */
async function join(files: Files, entry: string, joined: string): Promise<void> {
  const all = [...files.values()].map(({ text }) => text).join("\n");
  const parts = [...closureOf(files, entry)].filter((name) =>
    isChunk(name) && !all.includes(`import("./${name}")`)
  );
  const exported = (name: string): string[] => {
    const [, list = ""] = /^export \{([^}]*)\};$/m.exec(files.get(name)?.text ?? "") ?? [];
    return list.split(",").map((one) => one.trim().split(" as ").at(-1) ?? "").filter(Boolean);
  };
  const counts = Map.groupBy(parts.flatMap(exported), (name) => name);
  const joinedName: JoinedName = (name, index) =>
    counts.get(name)?.length === 1 ? name : `${name}$${index}`;
  const contents = parts.map((file, index) => {
    const names = exported(file).map((name) => `${name} as ${joinedName(name, index)}`);
    return `export { ${names.join(", ")} } from "./${file}";`;
  }).join("\n");
  const inMemory: Plugin = {
    name: "in-memory",
    setup({ onResolve, onLoad }): void {
      onResolve({ filter: /./ }, ({ path, kind }) => {
        const name = path.replace("./", "");
        const is_part = kind === "entry-point" || (path.startsWith("./") && parts.includes(name));
        return is_part ? { path: name, namespace: "files" } : { path, external: true };
      });
      onLoad(
        { filter: /./, namespace: "files" },
        ({ path }) => ({ contents: path === joined ? contents : files.get(path)?.text ?? "" }),
      );
    },
  };
  const { outputFiles } = await build({
    entryPoints: [joined],
    outdir: OUT,
    bundle: true,
    write: false,
    format: "esm",
    target: "node22",
    charset: "utf8",
    logLevel: "warning",
    plugins: [inMemory],
  });
  const owner = files.get(entry)?.owner ?? PROGRAM;
  for (const part of parts) files.delete(part);
  for (const [name, file] of files) {
    files.set(name, { ...file, text: fromJoined(file.text, parts, joined, joinedName) });
  }
  files.set(joined, { text: outputFiles[0]?.text ?? "", owner });
}

const FACADE = /^import \{([^}]*)\} from "\.\/([^"]+)";\nexport \{\1\};\n$/;

/** Loads a file itself where the bundler made another one that only passes on its names. */
function withoutFacades(files: Files): void {
  const targets = new Map<string, string>();
  for (const [name, { text }] of files) {
    const [, , target] = FACADE.exec(text) ?? [];
    if (target === undefined || basename(name, ".js") in LIBRARY) continue;
    targets.set(name, target);
    files.delete(name);
  }
  for (const [name, file] of files) {
    const text = file.text.replaceAll(/\bimport\("\.\/([^"]+)"\)/g, (_, to: string) => {
      return `import("./${targets.get(to) ?? to}")`;
    });
    files.set(name, { ...file, text });
  }
}

/**
 * Sources that are of use without the program, though only the program may reach them. Bundles of
 * `send` and `take` are not among them.
 */
const LIBRARY_SOURCES =
  /^lib\/(?:core|text|agents|library|features\/(?:backup(?!\/bundle)|blame|export|handover|repair))\//;

/** Gives each file to the smallest package whose entries reach it, or that its sources belong to. */
function ownersOf({ outputs }: Metafile): Map<string, number> {
  const owners = new Map<string, number>();
  for (const [index, { entries }] of PACKAGES.entries()) {
    const reached = new Set(entries.map((name) => `dist/npm/${name}.js`));
    for (const path of reached) {
      const name = basename(path);
      if (!owners.has(name)) owners.set(name, index);
      for (const { path: to, external } of outputs[path]?.imports ?? []) {
        if (!external) reached.add(to);
      }
    }
  }
  const ofLibrary = new Set(
    Object.entries(outputs).filter(([path, { inputs }]) =>
      owners.get(basename(path)) === PROGRAM &&
      Object.keys(inputs).every((source) => LIBRARY_SOURCES.test(source))
    ).map(([path]) => path),
  );
  // The library imports nothing of the program.
  const isFree = (path: string): boolean =>
    (outputs[path]?.imports ?? []).every(({ path: to, external }) =>
      external || ofLibrary.has(to) || owners.get(basename(to)) !== PROGRAM
    );
  for (let before = 0; before !== ofLibrary.size;) {
    before = ofLibrary.size;
    for (const path of ofLibrary) if (!isFree(path)) ofLibrary.delete(path);
  }
  for (const path of ofLibrary) owners.set(basename(path), PROGRAM - 1);
  return owners;
}

/** The name by which a package imports a file of a smaller one. */
function importName(name: string, owner: number): string {
  const { name: folder = "", main, entries } = PACKAGES[owner] ?? PACKAGES[PROGRAM]!;
  const stem = name.replace(/\.js$/, "");
  const scoped = `@reprise/${folder}`;
  if (stem === main) return scoped;
  return entries.includes(stem) ? `${scoped}/${stem}` : `${scoped}/internal/${name}`;
}

/** Points imports of files that a smaller package has to that package. */
function linked(text: string, owner: number, ownerOf: (name: string) => number): string {
  return text.replaceAll(/"\.\/([^"/]+\.js)"/g, (found, name: string) => {
    const other = ownerOf(name);
    return other === owner ? found : JSON.stringify(importName(name, other));
  });
}

/**
 * Writes code without indents, names as they are. Only the program's own files: nobody imports them.
 * An error prints the line in which it happened, so that none is long.
 */
async function withoutIndents(text: string): Promise<string> {
  const options = { charset: "utf8", minifyWhitespace: true, lineLimit: 120 } as const;
  return (await transform(text, options)).code;
}

function write(path: string, text: string): void {
  const target = OUT + path;
  Deno.mkdirSync(target.slice(0, target.lastIndexOf("/")), { recursive: true });
  Deno.writeTextFileSync(target, text);
}

/** Hides that Node 22 calls its SQLite an experiment: users of the command can do nothing about it. */
const BIN = `#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (process.versions.bun === undefined && (major < 22 || (major === 22 && minor < 15))) {
  console.error(
    "Cannot run reprise: it needs Node 22.15 or later, and this is " + process.versions.node +
      ". Install a newer Node, or the executable, which needs none.",
  );
  process.exit(1);
}
const { emitWarning } = process;
process.emitWarning = (warning, ...rest) => {
  if ((rest[0]?.type ?? rest[0]) !== "ExperimentalWarning") emitWarning.call(process, warning, ...rest);
};
await import("../main.js");
`;

/** Names packages in the examples of the documentation as somebody who installed them does. */
function withOwnNames(text: string): string {
  return text.replaceAll(/"@reprise\/reprise(?:\/([a-z]+))?"/g, (_, entry = "mod") => {
    return JSON.stringify(importName(`${entry}.js`, packageOf(entry)));
  });
}

/** The names of npm packages that texts import, outside of comments. */
function imported(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) =>
    [
      ...text.replaceAll(/^\s*\*.*$/gm, "").matchAll(
        /(?:from|import|import\()\s*"((?:@[^/"]+\/)?[^./"][^/"]*)/g,
      ),
    ]
      .map(([, name = ""]) => name)
  );
  return [...new Set(found)].filter((name) => !name.startsWith("node:")).sort();
}

/** With koffi, Node calls `flock(2)` itself instead of starting programs. */
const PEERS = {
  peerDependencies: { koffi: ">=2.9" },
  peerDependenciesMeta: { koffi: { optional: true } },
};
/** Returns the page of a package that is not the program's: its entries, and an example. */
function readme(index: number): string {
  const { name, description, main, entries } = PACKAGES[index]!;
  const page = Deno.readTextFileSync(`${ROOT}.github/LIBRARY.md`);
  const [, example = ""] =
    new RegExp("^## " + EXAMPLES[index] + "\\n[^]*?(^```ts\\n[^]*?^```\\n)", "m")
      .exec(page) ?? [];
  const rows = entries.map((entry) => {
    const imported = entry === "mod" ? "." : `./${entry}`;
    const [, what = ""] =
      new RegExp("^\\| `" + imported.replaceAll(".", "\\.") + "` .*\\| (.*?) *\\|$", "m")
        .exec(page) ?? [];
    const specifier = entry === main ? `@reprise/${name}` : `@reprise/${name}/${entry}`;
    return `- \`${specifier}\`${what === "" ? "" : `: ${what}`}\n`;
  });
  return `# @reprise/${name}\n\n${description}. Node 22.15, Bun 1.4.5 and Deno 2.7, or later.\n\n` +
    `\`\`\`sh\nnpm install @reprise/${name}\n\`\`\`\n\n${example}\n${rows.join("")}\n` +
    `[How to use it](${SITE}/blob/main/.github/LIBRARY.md)\n`;
}

function manifest(index: number, texts: readonly string[]): Record<string, unknown> {
  const { name: folder, description, main, entries } = PACKAGES[index]!;
  const { version, license, name: program } = configuration;
  // The program's package has all entries, under the names that `deno.json` gives them.
  const all = index === PROGRAM ? Object.keys(LIBRARY) : entries;
  const exports = all.map((name) => [
    name === main ? "." : `./${name}`,
    { types: `./types/${name}.d.ts`, default: `./${name}.js` },
  ]);
  const internal = { types: "./types/*.d.ts", default: "./*.js" };
  const dependencies = imported(texts).map((name) => [
    name,
    name.startsWith("@reprise/") ? version : versions.get(name),
  ]);
  return {
    name: index === PROGRAM ? program : `@reprise/${folder}`,
    version,
    description,
    license,
    // npm compares it with the proof of where a package was built.
    repository: { type: "git", url: "git+https://github.com/reprise/reprise.git" },
    homepage: `${SITE}#readme`,
    bugs: `${SITE}/issues`,
    keywords: ["ai", "agent", "llm", "session", "conversation", "history", "log"],
    type: "module",
    ...(index === PROGRAM ? { bin: { reprise: "bin/reprise.js" } } : {}),
    exports: { ...Object.fromEntries(exports), "./internal/*.js": internal },
    sideEffects: false,
    // The first with SQLite and Zstandard.
    engines: { node: ">=22.15", bun: ">=1.4.5" },
    dependencies: Object.fromEntries(dependencies),
    ...(index === 0 ? PEERS : {}),
  };
}

/** Entries that the program's package has from the smaller ones. */
function passedOn(): string[] {
  return Object.keys(LIBRARY).filter((entry) => packageOf(entry) !== PROGRAM);
}

if (import.meta.main) {
  try {
    Deno.removeSync(OUT, { recursive: true });
  } catch {
    // It was not there.
  }
  const code = await bundle();
  for (const [entry, joined] of Object.entries(JOINED)) await join(code, `${entry}.js`, joined);
  withoutFacades(code);
  const types = await declarations("[name]", (entry) => PACKAGES[packageOf(entry)]!.name);
  const typeOwner = (name: string): number => {
    const stem = name.replace(/^types-|\.d\.ts$|\.js$/g, "");
    const shared = PACKAGES.findIndex((one) => name.startsWith("types-") && one.name === stem);
    return shared < 0 ? packageOf(stem) : shared;
  };
  for (const [index, { name: folder }] of PACKAGES.entries()) {
    const texts: string[] = [];
    const put = (path: string, text: string): void => {
      texts.push(text);
      write(`${folder}/${path}`, text);
    };
    for (const [name, { text, owner }] of code) {
      if (owner !== index) continue;
      const own = linked(text, index, (to) => code.get(to)?.owner ?? PROGRAM);
      put(name, index === PROGRAM ? await withoutIndents(own) : own);
    }
    for (const [name, text] of types) {
      if (typeOwner(name) !== index) continue;
      // Declarations have no effect.
      const node = text.replaceAll(/^import "[^"]*";\n/gm, "").replaceAll(
        /"(npm:[^"]+)"/g,
        (_, one: string) => `"${nodeName(one)}"`,
      );
      put(`types/${name}`, withOwnNames(linked(node, index, typeOwner)));
    }
    if (index === PROGRAM) {
      for (const entry of passedOn()) {
        const text = `export * from "${importName(`${entry}.js`, packageOf(entry))}";\n`;
        put(`${entry}.js`, text);
        put(`types/${entry}.d.ts`, text);
      }
      write(`${folder}/bin/reprise.js`, BIN);
      Deno.chmodSync(`${OUT}${folder}/bin/reprise.js`, 0o755);
    }
    Deno.copyFileSync(`${ROOT}LICENSE`, `${OUT}${folder}/LICENSE`);
    if (index === PROGRAM) Deno.copyFileSync(`${ROOT}README.md`, `${OUT}${folder}/README.md`);
    else write(`${folder}/README.md`, readme(index));
    const text = JSON.stringify(manifest(index, texts), undefined, 2);
    write(`${folder}/package.json`, text + "\n");
  }
  await stop();
}
