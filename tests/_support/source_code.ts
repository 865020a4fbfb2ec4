/** The source code as text: files, what they import, and their lines without comments. */

/** The repository. */
export const ROOT = new URL("../../", import.meta.url);

/** Sources by path from the root, with `/`. */
export type Sources = ReadonlyMap<string, string>;

/** What a file imports or exports from. */
export interface Specifier {
  /** As written. */
  text: string;
  form: "value" | "type" | "dynamic";
}

/** The TypeScript files of a folder, at any depth. */
export function sourcesIn(folder: string): [string, string][] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) => {
    const path = `${folder}${name}`;
    if (isDirectory) return sourcesIn(`${path}/`);
    return name.endsWith(".ts") ? [[path, Deno.readTextFileSync(new URL(path, ROOT))]] : [];
  });
}

const ENTRIES = [...Deno.readDirSync(ROOT)].map(({ name }) => name)
  .filter((name) => name.endsWith(".ts"));
/** The product: its entries, `lib` and `commands`. */
export const SOURCES: Sources = new Map([
  ...ENTRIES.map((name): [string, string] => [name, Deno.readTextFileSync(new URL(name, ROOT))]),
  ...sourcesIn("lib/"),
  ...sourcesIn("commands/"),
]);

/** Results for sources that were asked for before: each rule looks at all of them. */
const CODE = new Map<string, string>();
const SPECIFIERS = new Map<string, Specifier[]>();

function computed<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/** The source without comments, each line where it was. Formatted code has no other ones. */
export function withoutComments(source: string): string {
  return computed(CODE, source, () =>
    source
      .replaceAll(
        /^[ \t]*\/\*\*?(?:[^*]|\*(?!\/))*\*\//gm,
        (comment) => comment.replaceAll(/[^\n]/g, ""),
      )
      .replaceAll(/(?<=^|\s)\/\/ .*$/gm, ""));
}

const STATEMENT = /^(?:import|export)(\s+type)?\b(?:[^;"'`]*?\bfrom)?\s*"([^"]+)"/gm;
const EXPRESSION = /(\btypeof\s+)?\bimport\(\s*"([^"]+)"/g;

/** All specifiers of a source: of statements, and of `import()` as a value or as a type. */
export function specifiers(source: string): Specifier[] {
  return computed(SPECIFIERS, source, () => findSpecifiers(withoutComments(source)));
}

function findSpecifiers(code: string): Specifier[] {
  return [
    ...[...code.matchAll(STATEMENT)].map(([, type, text = ""]): Specifier => ({
      text,
      form: type === undefined ? "value" : "type",
    })),
    ...[...code.matchAll(EXPRESSION)].map(([, type, text = ""]): Specifier => ({
      text,
      form: type === undefined ? "dynamic" : "type",
    })),
  ];
}

/** One file that needs another. */
export interface Edge {
  from: string;
  to: string;
  form: Specifier["form"];
}

/** Which file imports which. */
export function edges(sources: Sources): Edge[] {
  return [...sources].flatMap(([from, source]) =>
    specifiers(source).filter(({ text }) => text.startsWith(".")).map(({ text, form }) => ({
      from,
      to: new URL(text, `file:///${from}`).pathname.slice(1),
      form,
    }))
  );
}
