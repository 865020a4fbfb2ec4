/** The records of decisions: which are in force, and where their links lead. */
import assert from "node:assert/strict";
import { ROOT } from "./_support/source_code.ts";

const FOLDER = new URL(".github/decisions/", ROOT);

/** Reads the records of a folder, by their names. */
function recordsIn(folder: URL): ReadonlyMap<string, string> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => /^\d{4}-.*\.md$/.test(name));
  return new Map(names.map((name) => [name, Deno.readTextFileSync(new URL(name, folder))]));
}

const IN_FORCE = recordsIn(FOLDER);
const REPLACED = recordsIn(new URL("replaced/", FOLDER));

/** Returns the files to which the links of a page lead, as addresses. */
function linkedFiles(page: URL, text: string): URL[] {
  return [...text.matchAll(/\]\(([^)#\s]+)/g)].map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target)).map((target) => new URL(target, page));
}

Deno.test("the table of decisions has each that is in force, by its title", () => {
  const table = Deno.readTextFileSync(new URL("README.md", FOLDER));
  const rows = [...table.matchAll(/\[(\d+\. [^\]]+)\]\(([^)]+)\) +\|/g)]
    .map(([, title = "", name = ""]) => [name, title]);
  const titles = [...IN_FORCE].map(([name, text]) => [name, /^# (\d+\. .+)$/m.exec(text)?.[1]]);
  assert.deepEqual(rows.sort(), titles.sort());
  const numbers = [...IN_FORCE.keys(), ...REPLACED.keys()].map((name) => name.slice(0, 4));
  assert.equal(new Set(numbers).size, numbers.length);
});

Deno.test("a record that is replaced names what is in force, and no other says it is", () => {
  for (const [name, text] of REPLACED) {
    const [line = ""] = /^Replaced by .*$/m.exec(text) ?? [];
    const named = [...line.matchAll(/\(\.\.\/([^)]+)\)/g)].map(([, record = ""]) => record);
    assert.ok(named.length > 0 && named.every((record) => IN_FORCE.has(record)), name);
  }
  for (const [name, text] of IN_FORCE) {
    assert.doesNotMatch(text, /^(?:In part r|R)eplaced by/m, name);
  }
});

Deno.test("links of the project's pages lead to files", () => {
  const pages = [...recursively(new URL(".github/", ROOT)), new URL("README.md", ROOT)]
    .filter(({ pathname }) => pathname.endsWith(".md"));
  assert.ok(pages.length > 150, `${pages.length}`);
  const missing = pages.flatMap((page) => linkedFiles(page, Deno.readTextFileSync(page)))
    .filter((file) => !isThere(file));
  assert.deepEqual(missing.map(({ pathname }) => pathname.slice(ROOT.pathname.length)), []);
});

/** Lists the files below a folder. */
function recursively(folder: URL): URL[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? recursively(new URL(`${name}/`, folder)) : [new URL(name, folder)]
  );
}

function isThere(file: URL): boolean {
  try {
    return Deno.statSync(file).isFile || file.pathname.endsWith("/");
  } catch {
    return false;
  }
}
