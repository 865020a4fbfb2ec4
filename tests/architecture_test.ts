/** What ARCHITECTURE.md says of the code, held by the code. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { RULES } from "./_support/architecture.ts";
import { drawing, longCorridors, reachedFrom, staleExceptions } from "./_support/groups.ts";
import { type Declaration, type Entry, publicInterface } from "./_support/public_interface.ts";
import {
  ROOT,
  SOURCES,
  type Sources,
  sourcesIn,
  specifiers,
  withoutComments,
} from "./_support/source_code.ts";
import { longSentences, MAX_WORDS } from "./_support/words.ts";

for (const { name, violations, broken } of RULES) {
  Deno.test(name, () => assert.deepEqual(violations(SOURCES), []));

  Deno.test(`the check finds what breaks it: ${name}`, () => {
    for (const sources of broken) {
      const found = violations(new Map(Object.entries(sources)));
      assert.ok(found.length > 0, JSON.stringify(sources));
    }
  });
}

Deno.test("comments are no code, and code is no comment", () => {
  const source = '/** import "a"; */\nimport "b"; // import "c";\n/*\nimport "d";\n*/\n' +
    'const url = "https://e"; import("f");\n';
  assert.deepEqual(specifiers(source).map(({ text }) => text), ["b", "f"]);
  assert.equal(withoutComments(source).split("\n").length, source.split("\n").length);
});

// Slow: Deno reads all modules of the program.
Deno.test("the imports that are checked are all that Deno knows of", async () => {
  const args = ["info", "--json", "--no-remote", fileURLToPath(new URL("main.ts", ROOT))];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as {
    modules: { specifier: string; dependencies?: { specifier: string }[] }[];
  };
  let compared = 0;
  for (const { specifier, dependencies = [] } of modules) {
    const path = specifier.startsWith(ROOT.href) ? specifier.slice(ROOT.href.length) : "";
    const source = SOURCES.get(path);
    if (source === undefined) continue;
    const ours = new Set(specifiers(source).map(({ text }) => text));
    assert.deepEqual([...ours].sort(), dependencies.map((one) => one.specifier).sort(), path);
    compared++;
  }
  assert.ok(compared >= 60, `${compared}`);
});

/** Characters of code that every `list` reads before it does anything. */
const MOST_AT_START = 450_000;

/** Returns the files that a file imports at once, however far: without those of `import()`. */
function loadedWith(sources: Sources, path: string): string[] {
  const loaded = new Set([path]);
  for (const from of loaded) {
    for (const { text, form } of specifiers(sources.get(from) ?? "")) {
      const to = new URL(text, `file:///${from}`).pathname.slice(1);
      if (form === "value" && sources.has(to)) loaded.add(to);
    }
  }
  return [...loaded];
}

Deno.test("a list loads no code that writes sessions or shapes messages", () => {
  const loaded = loadedWith(SOURCES, "commands/_run.ts");
  assert.ok(loaded.includes("commands/list/list_sessions.ts") && loaded.length > 100);
  const needless =
    /^lib\/(?:features|text\/shape|core\/projection\/conversation)\/|\/local_store\.ts$/;
  assert.deepEqual(loaded.filter((path) => needless.test(path)), []);
  const sizes = loaded.map((path) => withoutComments(SOURCES.get(path) ?? "").length);
  const size = sizes.reduce((sum, one) => sum + one, 0);
  assert.ok(size <= MOST_AT_START, `${size}`);
});

Deno.test("a group has at most ten rooms, and each exception of the arrows is needed", () => {
  assert.deepEqual(longCorridors(), []);
  assert.deepEqual(staleExceptions(SOURCES), []);
  assert.ok(staleExceptions(new Map()).length > 0);
});

Deno.test("the page of the architecture draws the groups, their arrows and their rooms", async () => {
  const page = await Deno.readTextFile(new URL(".github/ARCHITECTURE.md", ROOT));
  const [, picture = ""] = /```text\n(.*?)```/s.exec(page) ?? [];
  const drawn = picture.split("\n").map((line) => line.split(";")[0]);
  assert.deepEqual(drawing().filter((line) => !drawn.includes(line)), []);
  const folders = [...Deno.readDirSync(new URL("lib/", ROOT))].map(({ name }) => name);
  assert.deepEqual(
    folders.filter((name) => !drawn.some((line) => line?.startsWith(`${name} `))),
    [],
  );
});

/** Files of lib that no test comes to, however far. */
function untested(sources: Sources): string[] {
  const tests = [...sources.keys()].filter((path) => path.startsWith("tests/"));
  const reached = reachedFrom(sources, tests);
  return [...sources.keys()].filter((path) => path.startsWith("lib/") && !reached.has(path));
}

Deno.test("every file of lib is reached by a test", () => {
  assert.deepEqual(untested(new Map([...SOURCES, ...sourcesIn("tests/")])), []);
  const sources = { "lib/a.ts": "", "lib/b.ts": "", "tests/a_test.ts": 'import "../lib/a.ts";' };
  assert.deepEqual(untested(new Map(Object.entries(sources))), ["lib/b.ts"]);
});

/**
 * Commands draw with `render`, `pages`, `screens` and `ui`, serve `mcp` and `acp`, install with
 * `setup`, read settings in `workspace`, use the process as it is, and leave out fields with `present`.
 * The program has a chat and synchronizes; another program has its own model, and its own server.
 */
const NOT_PUBLIC =
  /^lib\/(?:frontends|text\/render|features\/(?:setup|chat|team)|core\/(?:workspace|platform))\/|^lib\/core\/log\/(?:write_whole|send_whole|io_error|temporary_folder)\.ts$|^lib\/core\/(?:event\/present|file\/draft_file)\.ts$/;

/** Names that only a program with arguments, tables and a household of its own needs, by reason. */
const OF_THE_PROGRAM = {
  "a secret is told with the thread that has it": ["MAIN_THREAD"],
  "a session is sent with its work, and taken": [
    ...[
      "formatOf",
      "BundleManifest",
      "BundlePart",
      "MOST_PATCH_BYTES",
      "PartSource",
      "PatchFile",
      "WorkTree",
    ],
    ...["addWorkTree", "applyPatch", "capturePatch", "hasCommit", "isThere", "joinBytes"],
    ...[
      "namesInRepositories",
      "newWorkTreePath",
      "heldPart",
      "LostWorkTree",
      "addAgain",
      "lostWorkTree",
    ],
    ...["patchFiles", "readBundle", "sessionParts", "workTreeAt"],
  ],
  "machines of one user are paired, and a session of another one is put here": [
    ...["MachinePlace", "MachineProject", "MachineSettings", "MachinesRound", "OtherSession"],
    ...["PlaceKey", "SECRET_BYTES", "machineSettingsPath", "otherSession", "placePulled"],
    ...["readMachineSettings", "secretOf", "wordsOf", "writeMachineSettings"],
    ...[
      "assertNotOpenHere",
      "knownMachines",
      "machineNames",
      "continuedBranches",
      "forgetPulled",
      "leaveKey",
      "relinkPulled",
    ],
  ],
  "the table of a commit is also on pages and on the screen": ["costLines", "writingSessions"],
  "arguments are checked before anything is opened": [
    ...[
      "EVENT_KINDS",
      "MAX_LINE_BYTES",
      "SOON_DAYS",
      "TEAM_REF",
      "agentVariables",
      "assertPrices",
    ],
    ...["assertQuery", "checkRecipients", "earlierHandover", "importedState", "inputLines"],
    ...["isEventKind", "parseRef", "readIdentityFile", "splitRef", "WRITABLE_AGENTS"],
  ],
  "a number is written with its noun": ["counted"],
  "windows of days are the same on pages": ["daysBefore"],
  "a reader of the user's own is tried before it is set": [
    "countPrinted",
    "failingReaders",
    "forgetJoined",
  ],
  "a status line is told what a plan has left, which other commands then show": [
    ...["PlanOptions", "SharedWindow", "keepLimits", "openWindows", "planWindows", "sharedWindows"],
    ...["sharesOf"],
  ],
  "a digest is a text": [
    ...["ProjectDigest", "costOf", "digestMarkdown", "digestOf", "digestText"],
  ],
  "a hook of an agent caps costs": ["capAnswer", "spentUnder"],
  "rows are joined, shortened and pointed at": [
    ...["BlamedRun", "CommitBlame", "SessionLines", "blameCommits"],
    ...["NamedPointer", "blameRuns", "recordName", "rowsOf"],
    ...["UsageWindow", "shortPart", "usageWindows", "withHandedFrom", "withUsage"],
  ],
  "views filter and sort sessions by the same words": [
    ...["ORDER_VALUES", "OrderValue", "SESSION_ORDERS", "SESSION_STATES", "SessionOrder"],
    ...["asksWords", "countedTokens", "needsCounts", "ofModel"],
    ...["sortedBy", "sortedEntries", "wordsIn"],
  ],
  "a search has tiers, and names its sessions": [
    ...["EXACT_TIERS", "HitRow", "MOST_NEAREST", "NEEDS_INDEX", "TieredRequest"],
    ...["TieredResult", "hitRows", "searchTiers", "tierText"],
  ],
  "a scrub has files of backups, too": [
    ...["ScrubOptions", "ScrubReport", "examineSecrets", "scrubSession", "undoScrub"],
    ...["SecretCounts", "findInFiles"],
  ],
  "files of a session are shown, written and restored": [
    ...["DOUBTS", "RestoredFile", "SessionFile", "SessionFiles", "UndoneFile", "contentDiff"],
    ...[
      "fileDiff",
      "isExecuted",
      "lastKept",
      "pathOnDisk",
      "planRestore",
      "presentIn",
      "restoreFiles",
      "sessionFiles",
    ],
    ...["undoRestore", "writeFiles", "readHandovers"],
  ],
  "running sessions are counted, and what they share is told": ["LiveSessions", "SharedFiles"],
  "a title is given in the agent": ["RunTitleCommand", "renameNatively", "undoNativeTitle"],
  "herdr says which sessions stand in its panes": ["herdrPointers", "isPointedAt", "pointedRef"],
  "a session is handed over under an id that was given": ["underGivenId"],
  "a site is written session by session": ["SiteFolder", "SITE_INDEX", "siteDigest", "siteName"],
  "backups are thinned, and other agents' files are compressed": [
    ...["PACKING_AGENTS", "PackedSession", "PrunedBackup"],
  ],
  "what a report or a dialog names is reached through its union": ["KeptNews", "SealedFile"],
  "it is one of the agents that it lists": ["REPRISE", "isAgentName"],
  "two sessions are compared": ["DiffPart", "diffSessions"],
  "a move of a project is told to the store": ["relinkProject", "relinksOf", "undoRelink"],
  "a repair may go to a copy": ["repairCopy"],
  "a handover is noted, and undone": [
    ...["HandoverRecord", "findHandover", "rememberImport", "undoHandover"],
  ],
  "single sessions are backed up": ["Backup", "backUp", "backUpAll"],
  "its own files are examined": [
    ...["ExpiringSessions", "StoreProblem", "examineStore", "expiringSessions", "isFault"],
    ...["CacheStatus", "IndexStatus", "cacheProblem", "cacheStatus"],
    ...[
      "ExaminedAgent",
      "LISTED_COPY",
      "copyFinder",
      "examineAgents",
      "hiddenSessions",
      "unreadFolders",
    ],
    ...["checkDatabase", "clearCache", "dropIndex", "examineCache", "formerCacheFiles"],
    ...["indexStatus"],
  ],
};

/** Names that a file imports of lib, statically or later, with the file that has them. */
function namesOfLib(path: string, source: string): { from: string; name: string }[] {
  const forms = [
    /import (?:type )?\{([^}]*)\} from "([^"]+)"/g,
    /\{([^{}]*)\} = await import\(\s*"([^"]+)"/g,
  ];
  return forms.flatMap((form) => [...source.matchAll(form)]).flatMap(
    ([, names = "", text = ""]) => {
      const from = new URL(text, new URL(path, "file:///")).pathname.slice(1);
      if (!from.startsWith("lib/") || NOT_PUBLIC.test(from)) return [];
      return names.split(",").map((name) =>
        name.trim().replace(/^type /, "").split(/ as |:/)[0] ?? ""
      )
        .filter((name) => name !== "").map((name) => ({ from, name }));
    },
  );
}

/** As read once for all tests of this file. */
let entries: Promise<Entry[]> | undefined;

// Slow: Deno reads the documentation of all entries.
Deno.test("commands use public names of lib, and few of the program alone", async () => {
  const all = await (entries ??= publicInterface());
  const known = new Set(all.flatMap(({ names }) => names).map(({ name }) => name));
  const own = new Set(Object.values(OF_THE_PROGRAM).flat());
  const used = [...SOURCES].filter(([path]) => path.startsWith("commands/"))
    .flatMap(([path, source]) => namesOfLib(path, source));
  assert.ok(used.length > 100, `${used.length}`);
  const hidden = used.filter(({ name }) => !known.has(name));
  const unexpected = hidden.filter(({ name }) => !own.has(name));
  assert.deepEqual([...new Set(unexpected.map(({ from, name }) => `${name} of ${from}`))], []);
  assert.deepEqual([...own].filter((name) => !hidden.some((one) => one.name === name)), []);
  const broken = 'import { readSummaries } from "../lib/core/store/list_sessions.ts";';
  assert.deepEqual(namesOfLib("commands/a.ts", broken).filter(({ name }) => known.has(name)), []);
});

/** The part of a name that is looked at. */
interface Documented {
  name: string;
  declarations: Pick<Declaration, "kind" | "jsDoc">[];
}

function docFaults(symbols: readonly Documented[]): string[] {
  return symbols.flatMap(({ name, declarations }) => {
    const docs = declarations.flatMap(({ jsDoc }) => jsDoc ?? []);
    if (!docs.some(({ doc }) => doc?.trim())) return [`${name} has no documentation`];
    const examples = docs.flatMap(({ tags = [] }) => tags.filter(({ kind }) => kind === "example"));
    const needsExample = declarations.some(({ kind }) => kind === "function" || kind === "class");
    if (!needsExample) return [];
    const runs = examples.some(({ doc }) => doc?.includes("```ts") && doc.includes("assert"));
    return runs ? [] : [`${name} has no example that asserts`];
  });
}

Deno.test("every export is documented, and functions and classes with an example that asserts", async () => {
  for (const { path, names } of await (entries ??= publicInterface())) {
    assert.ok(names.length > 3, path);
    assert.deepEqual(docFaults(names), [], path);
  }
});

/** Sentences of file headers that are too long, list items included. */
function longHeaderSentences(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) => {
    const [, comment = ""] = /^\/\*\*([^]*?)\*\//.exec(source) ?? [];
    const [text = ""] = comment.replaceAll(/^[ \t]*\* ?/gm, "").split(/\n\s*@/);
    return text.split(/\n\s*\n|\n(?=- )/).flatMap(longSentences)
      .map((sentence) => `${path}: ${sentence}`);
  });
}

Deno.test("a sentence of a file header has at most 20 words", () => {
  assert.deepEqual(longHeaderSentences(SOURCES), []);
  const words = "Word ".repeat(MAX_WORDS);
  const sources = {
    "lib/a.ts": `/**\n * Reads it.\n *\n * ${words}too many.\n */\nexport {};\n`,
    "lib/b.ts": `/**\n * Reads it:\n * - one\n * - ${words}too many.\n */\nexport {};\n`,
    "lib/c.ts": `/** Reads it. */\n/** ${words}too many. */\nexport {};\n`,
  };
  const found = longHeaderSentences(new Map(Object.entries(sources)));
  assert.deepEqual(found.map((fault) => fault.slice(0, 8)), ["lib/a.ts", "lib/b.ts"]);
});

Deno.test("the check of the documentation finds what lacks", () => {
  const doc = "Does it.";
  const example = { kind: "example", doc: "```ts\nassert.ok(f());\n```" };
  const broken: Documented[] = [
    { name: "a", declarations: [{ kind: "interface" }] },
    { name: "b", declarations: [{ kind: "function", jsDoc: { doc } }] },
    { name: "c", declarations: [{ kind: "class", jsDoc: { doc, tags: [{ ...example, doc }] } }] },
  ];
  const fine: Documented[] = [
    { name: "d", declarations: [{ kind: "typeAlias", jsDoc: { doc } }] },
    { name: "e", declarations: [{ kind: "function", jsDoc: { doc, tags: [example] } }] },
  ];
  assert.deepEqual(docFaults([...broken, ...fine]).map((fault) => fault[0]), ["a", "b", "c"]);
});
