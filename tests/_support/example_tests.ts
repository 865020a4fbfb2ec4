/** Tests made of the examples in the documentation: `deno test --doc` would load the library for each. */
import { pathToFileURL } from "node:url";
import configuration from "../../deno.json" with { type: "json" };
import { ROOT, SOURCES } from "./source_code.ts";

const EXAMPLE = /^( *) \* ```ts\n(.*?)^\1 \* ```$/gms;
const IMPORT = /^import [^;]*;\n/gm;
const NAME = /^@reprise\/reprise/;

/** A specifier as it resolves in a file of the library. */
function resolved(specifier: string, path: string): string {
  const entries: Record<string, string> = configuration.exports;
  const entry = entries[specifier.replace(NAME, ".")];
  if (entry !== undefined && NAME.test(specifier)) return new URL(entry, ROOT).href;
  return specifier.startsWith(".") ? new URL(specifier, new URL(path, ROOT)).href : specifier;
}

/** A module with an example as its test. */
function testOf(code: string, path: string, line: number): string {
  const imports = code.match(IMPORT) ?? [];
  return [
    ...imports.map((statement) =>
      statement.replace(/"(.*)"/, (_, name: string) => JSON.stringify(resolved(name, path)))
    ),
    `Deno.test(${JSON.stringify(`the example of ${path}:${line}`)}, async () => {\n`,
    code.replaceAll(IMPORT, ""),
    "});\n",
  ].join("");
}

/** Writes a module for each example of the library; returns where each stands, and its module's URL. */
export function writeExamples(folder: string): { path: string; url: string }[] {
  const sources = [...SOURCES].filter(([path]) => path === "mod.ts" || path.startsWith("lib/"));
  return sources.flatMap(([path, source]) =>
    [...source.matchAll(EXAMPLE)].map(({ index, 2: text = "" }, number) => {
      const line = source.slice(0, index).split("\n").length;
      const file = `${folder}/${path.replaceAll("/", "_")}_${number + 1}.ts`;
      Deno.writeTextFileSync(file, testOf(text.replaceAll(/^ *\* ?/gm, ""), path, line));
      return { path: `${path}:${line}`, url: pathToFileURL(file).href };
    })
  );
}
