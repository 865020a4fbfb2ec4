/** The entries of the package: what each of them exports, and what none does. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import * as adapters from "../lib/features/adapters/mod.ts";
import * as backup from "../lib/features/backup/mod.ts";
import * as blame from "../lib/features/blame/mod.ts";
import * as documents from "../lib/features/export/mod.ts";
import * as handover from "../lib/features/handover/mod.ts";
import * as library from "../lib/library/mod.ts";
import * as pipeline from "../lib/core/pipeline/mod.ts";
import * as repair from "../lib/features/repair/mod.ts";
import * as search from "../lib/library/search/mod.ts";
import * as seal from "../lib/text/seal/mod.ts";
import * as store from "../lib/core/store/mod.ts";
import * as shapes from "../lib/text/shape/mod.ts";
import * as front from "../mod.ts";
import { oddOptions, type PublicField, publicFields } from "./_support/public_fields.ts";
import {
  type Entry,
  fileOf,
  publicInterface,
  type PublicName,
} from "./_support/public_interface.ts";
import { ROOT, SOURCES, type Sources, withoutComments } from "./_support/source_code.ts";

/** The most names that an author of an agent has to look through. */
const MOST_NAMES = 60;
/** The most names of all entries: decision 303. */
const MOST_NAMES_IN_ALL = 340;

const ENTRIES = await publicInterface();

function entry(wanted: string): Entry {
  const found = ENTRIES.find(({ name }) => name === wanted);
  assert.ok(found, wanted);
  return found;
}

Deno.test("the front has at most 60 names, and none of a state", () => {
  const names = entry(".").names.map(({ name }) => name);
  assert.ok(names.length <= MOST_NAMES, `${names.length}: ${names.join(" ")}`);
  assert.deepEqual(names.filter((name) => name.endsWith("State")), []);
  const wanted = ["openStore", "memoryStore", "Store", "Session", "Turn", "toMessages"];
  assert.deepEqual(wanted.filter((name) => !names.includes(name)), []);
});

Deno.test("all entries have at most 340 names", () => {
  const counts = ENTRIES.map(({ name, names }) => `${name}: ${names.length}`);
  const total = ENTRIES.reduce((sum, { names }) => sum + names.length, 0);
  assert.ok(total <= MOST_NAMES_IN_ALL, `${total}: ${counts.join(", ")}`);
});

Deno.test("the library has at most 90 names", () => {
  const { length } = entry("./library").names;
  assert.ok(length <= 90, `${length}`);
});

Deno.test("the front opens a store as its interface, without what commands alone do", () => {
  const open = entry(".").names.find(({ name }) => name === "openStore");
  const text = JSON.stringify(open?.declarations[0]?.def);
  assert.match(text, /"returnType":\{"repr":"Store"/);
});

Deno.test("an entry exports at run time exactly the names that it documents", () => {
  const modules = {
    ".": front,
    "./adapters": adapters,
    "./backup": backup,
    "./blame": blame,
    "./export": documents,
    "./handover": handover,
    "./library": library,
    "./pipeline": pipeline,
    "./repair": repair,
    "./search": search,
    "./seal": seal,
    "./shapes": shapes,
    "./store": store,
  };
  assert.deepEqual(ENTRIES.map(({ name }) => name).sort(), Object.keys(modules).sort());
  for (const [name, module] of Object.entries(modules)) {
    const documented = new Set(entry(name).names.map((one) => one.name));
    assert.deepEqual(Object.keys(module).filter((one) => !documented.has(one)), [], name);
  }
});

Deno.test("a name is exported by one entry alone", () => {
  const places = Map.groupBy(
    ENTRIES.flatMap(({ name, names }) => names.map((one) => ({ one: one.name, name }))),
    ({ one }) => one,
  );
  const several = [...places].filter(([, found]) => found.length > 1);
  assert.deepEqual(several.map(([one, found]) => [one, ...found.map(({ name }) => name)]), []);
});

Deno.test("each type that an entry names is exported by an entry", async () => {
  const paths = ENTRIES.map(({ path }) => fileURLToPath(new URL(path, ROOT)));
  const args = ["doc", "--lint", ...paths];
  const env = { NO_COLOR: "1" };
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, env }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
});

/** Entries whose values are for programs: nothing of ours needs to use them. */
const FOR_PROGRAMS = new Set([".", "./adapters"]);

function isValue({ declarations }: PublicName): boolean {
  return declarations.some(({ kind }) => ["function", "class", "variable", "enum"].includes(kind));
}

/** Names that files of lib and commands import from others, entries aside. */
function importedNames(sources: Sources): Set<string> {
  const entries = new Set(ENTRIES.map(({ path }) => path.replace("./", "")));
  const names = new Set<string>();
  for (const [path, source] of sources) {
    if (entries.has(path)) continue;
    const code = withoutComments(source);
    const forms = [/(?:import|export) (?:type )?(\{[^}]*\}) from/g, /const ([[{][^=]*) = await/g];
    for (const [, list = ""] of forms.flatMap((form) => [...code.matchAll(form)])) {
      for (const one of list.split(/[,{}[\]]/)) {
        names.add(one.trim().replace(/^type /, "").split(/ as |:/)[0] ?? "");
      }
    }
    for (const [, one = ""] of code.matchAll(/\)\)\.(\w+)/g)) names.add(one);
  }
  return names;
}

Deno.test("nothing is exported that only tests use", () => {
  const used = importedNames(SOURCES);
  const unused = ENTRIES.filter(({ name }) => !FOR_PROGRAMS.has(name)).flatMap(({ names }) =>
    names.filter((one) => isValue(one) && !used.has(one.name))
      .map((one) => `${one.name} of ${fileOf(one)}`)
  );
  assert.deepEqual(unused, []);
  const sources = new Map([
    ["a.ts", 'import { type B, c } from "./b.ts";'],
    ["b.ts", 'const [{ d }, { e: f }] = await Promise.all([import("./d.ts"), import("./e.ts")]);'],
    ["c.ts", 'const g = (await import("./g.ts")).h; // import { i } from "./i.ts";'],
    ["mod.ts", 'export { j } from "./j.ts";'],
  ]);
  assert.deepEqual([...importedNames(sources)].filter(Boolean), ["B", "c", "d", "e", "h"]);
});

/** Fields that are spelled as the other kind: data in snake_case, what is called in camelCase. */
function misspelled(fields: readonly PublicField[]): string[] {
  const odd = fields.filter(({ path, acts }) => {
    const name = path.split(".").at(-1) ?? "";
    return (acts ? /_/ : /[a-z][A-Z]/).test(name);
  });
  return [...new Set(odd.map(({ path }) => path))];
}

Deno.test("data fields are snake_case, functions camelCase", () => {
  const fields = publicFields(ENTRIES);
  assert.ok(fields.filter(({ acts }) => acts).length > 100, `${fields.length}`);
  assert.ok(fields.some(({ path, acts }) => path === "PruneOptions.max_bytes" && !acts));
  assert.ok(fields.some(({ path, acts }) => path === "CopyOptions.onProgress" && acts));
  assert.deepEqual(misspelled(fields), []);
  const broken = [{ path: "A.maxBytes", acts: false }, { path: "A.on_item", acts: true }];
  assert.deepEqual(misspelled(broken), ["A.maxBytes", "A.on_item"]);
});

/** Types about sessions that the glossary's table of nouns lacks, and rows without a type. */
function unlikeNouns(names: readonly string[], page: string): string[] {
  const [, table = ""] = page.split("\n## A session in the library\n");
  const rows = table.split("\n").filter((line) => /^\| (?!noun|-)/.test(line));
  const listed = rows.flatMap((row) =>
    [...row.matchAll(/`(\w*Session\w*)`/g)].map(([, one]) => one)
  );
  return [
    ...names.filter((name) => listed.filter((one) => one === name).length !== 1),
    ...listed.filter((one): one is string => one !== undefined && !names.includes(one)),
  ];
}

Deno.test("a session is one of five nouns in the library", async () => {
  const names = entry("./library").names
    .filter(({ declarations }) =>
      declarations.some(({ kind }) => /interface|type|class/.test(kind))
    )
    .map(({ name }) => name).filter((name) => name.includes("Session"));
  assert.ok(names.length > 10, `${names.length}`);
  const page = await Deno.readTextFile(new URL(".github/GLOSSARY.md", ROOT));
  assert.deepEqual(unlikeNouns(names, page), []);
  const broken = "\n## A session in the library\n| row | | `SessionEntry`, `GoneSession` |\n";
  assert.deepEqual(unlikeNouns(["SessionEntry", "OneSession"], broken), [
    "OneSession",
    "GoneSession",
  ]);
});

Deno.test("types of options end in Options", () => {
  const names = ENTRIES.filter(({ name }) => name !== "./adapters").flatMap((one) => one.names);
  assert.deepEqual(names.flatMap(oddOptions), []);
  const options = [{ kind: "assign", left: { tsType: { kind: "typeLiteral" } } }, {
    name: "options",
    tsType: { kind: "typeRef", repr: "Means" },
  }];
  const broken = { name: "a", declarations: [{ def: { params: options } }] };
  assert.equal(oddOptions(broken as unknown as PublicName).length, 2);
});

/** Words of JavaScript, TypeScript and of SDKs on the library's page. */
const NOT_OURS = new Set(["Blob", "Extract", "Map", "NaN", "onFinish", "sessionStoreFlush"]);

/** Names in the code words of a page that no entry has: as an export, a field or a value. */
function unknownNames(page: string, entries: readonly Entry[]): string[] {
  const known = JSON.stringify(entries);
  const text = page.replaceAll(/```.*?```/gs, "")
    .replace(/(?<=no longer exported:\n).*?(?=\n\n[^|])/s, (table) => {
      return table.replaceAll(/^\| [^|]*/gm, "");
    });
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span)
    .filter((span) => !/^(?:deno|npm|reprise|import) |[/]|^--|^\{"|\.ts$/.test(span));
  const names = spans.flatMap((span) => {
    const code = span.replaceAll(/"[^"]*"/g, '""');
    const called = /\b[a-z]\w*(?=\(|:)|(?<=\w\.)[a-zA-Z]\w*|\b[A-Z]\w*[a-z]\w*|\b[a-z]+[A-Z_]\w*/g;
    return [...code.matchAll(called)].map(([name]) => name);
  });
  return [...new Set(names)].filter((name) => !NOT_OURS.has(name) && !known.includes(`"${name}"`));
}

Deno.test("the library's page names nothing that no entry has", async () => {
  const page = await Deno.readTextFile(new URL(".github/LIBRARY.md", ROOT));
  assert.deepEqual(unknownNames(page, ENTRIES), []);
  const broken = "`PromptContent`, `session.vanish(1)`, `keep_none: 3`, `openStore({ root })`\n";
  assert.deepEqual(unknownNames(broken, ENTRIES), ["PromptContent", "vanish", "keep_none"]);
});

Deno.test("the library's page has a row for each entry", async () => {
  const page = await Deno.readTextFile(new URL(".github/LIBRARY.md", ROOT));
  for (const { name, path } of ENTRIES) {
    const row = page.split("\n").filter((line) => line.startsWith(`| \`${name}\``));
    assert.equal(row.length, 1, name);
    assert.ok(row[0]?.includes(`\`${path.replace("./", "")}\``), name);
  }
});
