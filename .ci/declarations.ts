/** The library's types, rolled up: a file for each of its modules, and one that these share. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type OutputChunk, rollup } from "npm:rollup@4.50.0";
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

/** Returns the declarations by the names of their files. Names of shared ones follow a pattern. */
export async function declarations(shared: `[name]${string}`): Promise<Map<string, string>> {
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
  const manualChunks = (path: string): string | undefined =>
    entries.has(path) ? undefined : "types";
  const { output } = await bundle.generate({ chunkFileNames: `${shared}.js`, manualChunks });
  await bundle.close();
  return new Map(
    (output as OutputChunk[]).map(({ fileName, code }) => [
      fileName.replace(/(?:\.d\.ts|\.js)$/, ".d.ts"),
      code.replaceAll(/(from|import) '([^']+)'/g, '$1 "$2"'),
    ]),
  );
}
