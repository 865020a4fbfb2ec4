/** The library's types, rolled up: a file for each of its modules, and one that these share. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type GetModuleInfo,
  type ManualChunksOption,
  type OutputChunk,
  rollup,
} from "npm:rollup@4.50.0";
import { dts } from "npm:rollup-plugin-dts@6.2.3";
import ts from "npm:typescript@5.9.3";
import configuration from "../deno.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** The modules of the library by the names of their files. */
export const LIBRARY: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(configuration.exports).map(([name, path]) => [
    name === "." ? "mod" : name.slice(2),
    path,
  ]),
);

/**
 * Returns the declarations by the names of their files.
 *
 * @param shared The pattern of names of shared files. @param packageOf The package of an entry; the
 * smallest one that needs a declaration has it, in one file. By default all share one file.
 */
export async function declarations(
  shared: `[name]${string}`,
  packageOf?: (entry: string) => string,
): Promise<Map<string, string>> {
  const input = Object.entries(LIBRARY).map(([name, path]) => [name, join(ROOT, path)]);
  const compilerOptions = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    strict: true,
    noCheck: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    types: [],
  };
  const bundle = await rollup({
    input: Object.fromEntries(input),
    external: /^(?:npm|node):/,
    plugins: [dts({ compilerOptions })],
  });
  const entries = new Set(input.map(([, path]) => path));
  // From a URL, each file is a request: what modules share is one.
  const names = new Map(input.map(([name = "", path = ""]) => [path, name]));
  const owners = new Map<string, string>();
  const manualChunks: ManualChunksOption = (path, { getModuleInfo }) => {
    if (entries.has(path)) return undefined;
    if (packageOf === undefined) return "types";
    if (owners.size === 0) fillOwners(input.map(([, path = ""]) => path), getModuleInfo);
    return `types-${owners.get(path)}`;
  };
  /** Entries come smallest package first, as `deno.json` does not: sort by package. */
  function fillOwners(paths: readonly string[], infoOf: GetModuleInfo): void {
    const order = ["core", "library", "reprise"];
    const rank = (path: string): number => order.indexOf(packageOf?.(names.get(path) ?? "") ?? "");
    for (const path of paths.toSorted((one, other) => rank(one) - rank(other))) {
      const owner = order[rank(path)] ?? "";
      const reached = new Set([path]);
      for (const one of reached) {
        if (!owners.has(one)) owners.set(one, owner);
        for (const to of infoOf(one)?.importedIds ?? []) reached.add(to);
      }
    }
  }
  const { output } = await bundle.generate({ chunkFileNames: `${shared}.js`, manualChunks });
  await bundle.close();
  return new Map(
    (output as OutputChunk[]).map(({ fileName, code }) => [
      fileName.replace(/(?:\.d\.ts|\.js)$/, ".d.ts"),
      withLibrary(code.replaceAll(/(from|import) '([^']+)'/g, '$1 "$2"')),
    ]),
  );
}

/** Names the library of TypeScript that has `AsyncDisposable`, which projects for ES2022 lack. */
function withLibrary(code: string): string {
  if (!/\bAsyncDisposable\b/.test(code)) return code;
  return `/// <reference lib="esnext.disposable" />\n${code}`;
}
