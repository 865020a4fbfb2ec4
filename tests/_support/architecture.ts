/**
 * The rules of ARCHITECTURE.md as functions from sources to violations. Each comes with sources that
 * break it, so that none passes because it looks at nothing.
 */
import { doubledTypes, isEntry, placeOf, reachedFrom, wrongArrows } from "./groups.ts";
import { edges, type Sources, specifiers, withoutComments } from "./source_code.ts";

/** The folder of an agent, if the file is in one. */
function agentOf(path: string): string | undefined {
  return /^lib\/agents\/(?!(?:contract|engine)\/)([^/]+)\//.exec(path)?.[1];
}

function agentsThatMeet(sources: Sources): string[] {
  return edges(sources).flatMap(({ from, to }) => {
    const [one, other] = [agentOf(from), agentOf(to)];
    const met = one !== undefined && other !== undefined && one !== other;
    return met ? [`${from} imports ${to}`] : [];
  });
}

/** The list of names, and words that are names of a provider's form or of models, too. */
const NAMERS: ReadonlySet<string> = new Set([
  "lib/core/event/agent_name.ts",
  "lib/text/shape/providers/gemini.ts",
  "lib/text/shape/shapes.ts",
  "commands/conversation.ts",
  "lib/features/chat/models/choose_model.ts",
]);

/** Files in which an agent's name is another word: an option of the chat, a place in a page. */
const OTHER_WORDS: ReadonlyMap<string, RegExp> = new Map([
  ["atif", /^lib\/features\/export\/export_document\.ts$/],
  ["continue", /^commands\/chat\//],
  // A source that Codex records.
  ["vscode", /^lib\/agents\/codex\/codex_visibility\.ts$/],
  [
    "cursor",
    /^(?:commands\/(?:_page|list\/list_flags|search\/search_flags)|lib\/frontends\/screens\/reader\/(?:words|lists))\.ts$/,
  ],
]);

/** Agents named outside their folders, by a text or an import. */
function agentsNamedElsewhere(sources: Sources): string[] {
  const names = new Set([...sources.keys()].flatMap((path) => agentOf(path) ?? []));
  const texts = [...names].flatMap((name) =>
    lines(
      sources,
      (path) => agentOf(path) !== name && !NAMERS.has(path) && !OTHER_WORDS.get(name)?.test(path),
      new RegExp(`(["'\`])${name}\\1`),
    )
  );
  const imports = edges(sources).filter(({ from, to }) =>
    agentOf(from) === undefined && agentOf(to) !== undefined &&
    from !== "lib/library/machine/registry.ts"
  );
  return [...texts, ...imports.map(({ from, to }) => `${from} imports ${to}`)];
}

function isPlatform(path: string): boolean {
  return path.startsWith("lib/core/platform/");
}

/** Files that browsers load too: they look for built-in functions without importing any. */
const IN_BROWSERS: ReadonlySet<string> = new Set([
  "lib/core/event/base64.ts",
  "lib/core/event/sha256.ts",
]);

/** Names of the runtimes, and of what they have that others lack. */
function namesOfRuntimes(sources: Sources): string[] {
  const forbidden =
    /\bDeno\.|\btypeof Deno\b|\bBun\.|(?<![.\w\\/])process[.[]|getBuiltinModule|"node:(?:process|os|child_process|tty|worker_threads)"/;
  return lines(sources, (path) => !isPlatform(path) && !IN_BROWSERS.has(path), forbidden);
}

/** Built-in functions that Deno and Bun have, and Node 22 lacks. */
function newerThanNode(sources: Sources): string[] {
  const forbidden =
    /\bPromise\.try\b|\bError\.isError\b|\bRegExp\.escape\b|\.(?:to|from|setFrom)(?:Base64|Hex)\(|\bIterator\.(?:concat|zip)\b|\bMath\.(?:sumPrecise|f16round)\b|\bFloat16Array\b|\bDisposableStack\b|\bTemporal\.|\bimport\.meta\.(?:dirname|filename)\b|\(\?[ims]+(?:-[ims]+)?:/;
  return lines(sources, () => true, forbidden);
}

/** Rooms that commands load when they need them. */
const LAZY: ReadonlySet<string> = new Set([
  ...["<agent>", "engine", "render", "redaction", "seal", "pricing", "search", "touches", "chat"],
  ...["handover", "repair", "backup", "team", "blame", "setup", "pages", "mcp", "acp", "screens"],
]);

/** The command that is run most starts with its table; numbers and times are for all. */
const AT_START: ReadonlySet<string> = new Set([
  "lib/text/render/session_table.ts",
  "lib/text/render/undated.ts",
  "lib/text/render/local_time.ts",
  "lib/text/render/relative_time.ts",
]);

/** What commands import of the heavy parts other than when it is needed. */
function eagerImports(sources: Sources): string[] {
  return edges(sources)
    .filter(({ from, to, form }) =>
      from.startsWith("commands/") && LAZY.has(placeOf(to).room) && form === "value" &&
      !AT_START.has(to)
    )
    .map(({ from, to }) => `${from} imports ${to} at start`);
}

/** Keys, rows and locales in commands: they call a screen, and print. */
function screensInCommands(sources: Sources): string[] {
  const keys = edges(sources).filter(({ from, to }) =>
    from.startsWith("commands/") &&
    /^lib\/frontends\/ui\/(?:key|pager|line_editor|live_rows|frame)\.ts$/.test(to)
  );
  return [
    ...keys.map(({ from, to }) => `${from} imports ${to}`),
    ...lines(sources, (path) => path.startsWith("commands/"), /\bIntl\./),
  ];
}

/** Entries of the package `core`, which nobody pays for with more than a log. */
const OF_CORE = ["mod.ts", ...["pipeline", "store"].map((room) => `lib/core/${room}/mod.ts`)];

function beyondCore(sources: Sources): string[] {
  return [...reachedFrom(sources, OF_CORE.filter((path) => sources.has(path)))]
    .filter((path) => path !== "mod.ts" && !/^lib\/(?:core|text\/shape)\//.test(path));
}

function circles(sources: Sources): string[] {
  const next = Map.groupBy(edges(sources), ({ from }) => from);
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  function visit(file: string): void {
    const at = path.indexOf(file);
    if (at >= 0) found.push([...path.slice(at), file].join(" -> "));
    if (at >= 0 || done.has(file)) return;
    path.push(file);
    for (const { to } of next.get(file) ?? []) visit(to);
    path.pop();
    done.add(file);
  }
  for (const file of sources.keys()) visit(file);
  return found;
}

function missingFiles(sources: Sources): string[] {
  return edges(sources).filter(({ to }) => to.endsWith(".ts") && !sources.has(to))
    .map(({ from, to }) => `${from} imports ${to}, which is not there`);
}

function foreignSpecifiers(sources: Sources): string[] {
  const allowed = [/^\.\.?\/[\w./-]+\.(?:ts|json)$/, /^node:[a-z_]+(?:\/[a-z]+)?$/];
  const exact = /^npm:(?:@[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+(?:\/[\w./-]+)?$/;
  return [...sources].flatMap(([path, source]) =>
    specifiers(source).filter(({ text }) => ![...allowed, exact].some((form) => form.test(text)))
      .map(({ text }) => `${path} imports ${text}`)
  );
}

function vagueNames(sources: Sources): string[] {
  return [...sources.keys()].filter((path) =>
    /(?:^|[/_])(?:utils?|helpers?|common|types?|manager|misc|shared)(?:\/|\.ts$)/.test(path)
  );
}

function oddNames(sources: Sources): string[] {
  return [...sources.keys()].filter((path) => !/^(?:[a-z0-9_]+\/)*_?[a-z0-9_]+\.ts$/.test(path));
}

/** Lines of files that a pattern forbids. */
function lines(sources: Sources, wanted: (path: string) => boolean, forbidden: RegExp): string[] {
  return [...sources].filter(([path]) => wanted(path)).flatMap(([path, source]) =>
    // Most files have no such line: they are split only where one is found.
    forbidden.test(withoutComments(source))
      ? withoutComments(source).split("\n").flatMap((line, index) =>
        forbidden.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []
      )
      : []
  );
}

const PURE =
  /^lib\/(?:core\/(?:event|projection|pricing)|text\/(?:shape|render|redaction))\/|^lib\/core\/workspace\/namespace\.ts$/;
const IMPURE =
  /\/platform\/|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b|\bperformance\.now\b|\bfetch\(|\bsetTimeout\(|node:(?:fs|net|http)/;

function impurities(sources: Sources): string[] {
  return lines(sources, (path) => PURE.test(path), IMPURE);
}

function libPrints(sources: Sources): string[] {
  const forbidden =
    /\bconsole\.|\b(?:exitProcess|programArguments|standard(?:Output|Error|Input))\b|(?<![.\w])(?:prompt|alert|confirm)\(/;
  return lines(sources, (path) => path.startsWith("lib/") && !isPlatform(path), forbidden);
}

function exits(sources: Sources): string[] {
  return lines(sources, (path) => path !== "main.ts" && !isPlatform(path), /\bexitProcess\b/);
}

/** Whoever makes a file knows what it is; these look at what they open themselves. */
const OPENERS: ReadonlySet<string> = new Set([
  "lib/core/file/regular_file.ts",
  "lib/core/log/own_file.ts",
  // Folders, and a draft that was made just now, are opened to be synced.
  "lib/core/store/sync_directories.ts",
  "lib/core/workspace/settings_file.ts",
  // The model's tools read what the user lets them, and are stopped when they wait.
  "lib/features/chat/tools/read_tool.ts",
  "lib/features/chat/tools/file_tool.ts",
]);

/** What opens a file that is there, and would wait for a pipe or read a device to no end. */
function openings(sources: Sources): string[] {
  const called = /\bopenSync\((?!.*createNew)|\b(?:readFileSync|createReadStream)\b/;
  const imported =
    /import \{[^}]*\b(?:(?:open|readFile)\b[^}]*\} from "[^"]*\/platform\/files\.ts"|openSync\b[^}]*\} from "node:fs")/;
  const watched = new Map(
    [...sources].filter(([path]) => !OPENERS.has(path) && !isPlatform(path)),
  );
  const importing = [...watched].filter(([, source]) => imported.test(withoutComments(source)));
  return [...lines(watched, () => true, called), ...importing.map(([path]) => path)];
}

/**
 * Starts a program: a command that the user allowed, the user's pager and browser, an agent's own
 * import, git, which runs nothing that a repository names, and itself, to update the index. Under
 * Node a program takes locks. Terminal programs show an agent's pane. `ps` and `wsl.exe` tell of processes and systems.
 */
const STARTERS: ReadonlySet<string> = new Set([
  "lib/features/chat/tools/bash_tool.ts",
  // The program that the user set, which prints sessions.
  "lib/agents/own_reader/run_reader.ts",
  "commands/_notifier.ts",
  "commands/_pager.ts",
  "commands/open/open_pages.ts",
  "commands/search/background_index.ts",
  "commands/_handover/run_program.ts",
  "commands/_key_command.ts",
  "lib/core/workspace/guarded_git.ts",
  "lib/features/team/sftp/sftp_session.ts",
  ...["child_process", "flock_program", "foreground", "process_state", "runtime", "terminal_pane"]
    .map((name) => `lib/core/platform/${name}.ts`),
  "lib/core/platform/wsl_systems.ts",
]);

function programs(sources: Sources): string[] {
  const forbidden = /\bstartProgram\b|\bnode:child_process\b/;
  return lines(sources, (path) => !STARTERS.has(path), forbidden);
}

/** Reaches a model, a team's bucket or PostgreSQL; serves pages, whose script asks their server. */
const CONNECTING: ReadonlySet<string> = new Set([
  "lib/features/chat/models/http.ts",
  "lib/features/team/s3/s3_requests.ts",
  "lib/features/team/postgres/pg.ts",
  "commands/open/loopback.ts",
  "lib/frontends/pages/site_script.ts",
]);

function connections(sources: Sources): string[] {
  const forbidden =
    /\bfetch\(|\bDeno\.(?:connect|listen|serve)|\b(?:WebSocket|EventSource)\(|"npm:pg@|"node:(?:net|tls|dns|dgram|http2?|https)"/;
  return lines(sources, (path) => !CONNECTING.has(path), forbidden);
}

/** Makes what is not Reprise's own: a project's files, an agent's folders, a team's folder. */
const PUBLISHING: ReadonlySet<string> = new Set([
  "lib/features/chat/tools/write_tools.ts",
  "lib/features/blame/files/write_files.ts",
  "lib/features/blame/files/restore_files.ts",
  "lib/features/setup/carry_out.ts",
  "lib/features/team/folder/folder_store.ts",
]);

/** Makes a file or folder without a mode, so that the umask decides who reads it. */
function publicFiles(sources: Sources): string[] {
  const made = /\b(?:mkdir|writeTextFile|writeFile)(?:Sync)?\(|\bcreate(?:New)?: true/;
  const found = lines(sources, (path) => !PUBLISHING.has(path) && !isPlatform(path), made);
  return found.filter((line) => !/\bmode:|PRIVATE|\boptions\b|\bfunction\b/.test(line));
}

/** Judges a file's mode by itself, which says nothing on Windows. */
function judgedModes(sources: Sources): string[] {
  const forbidden = /& 0o0\d\d\b/;
  return lines(sources, (path) => path !== "lib/core/platform/file_mode.ts", forbidden);
}

/** Reads the home from a variable that is another one on Windows. */
function homesElsewhere(sources: Sources): string[] {
  const forbidden = /\b(?:variable|environmentVariable)\("(?:HOME|USERPROFILE)"\)/;
  // Two whose systems are known where they read it; and PostgreSQL's own rule.
  const known = new Set(
    ["data_root.ts", "cache_folder.ts"].map((name) => `lib/core/workspace/${name}`),
  );
  known.add("lib/features/team/postgres/password_file.ts");
  return lines(sources, (path) => !known.has(path), forbidden);
}

/** Moves or deletes a folder while the lock in it is open, which Windows refuses. */
function movedWithLock(sources: Sources): string[] {
  const locking = new Map(
    [...sources].filter(([path, source]) =>
      path.startsWith("lib/core/store/trash/") && source.includes("acquireLock(")
    ),
  );
  const forbidden = /^(?!.*releaseAround).*(?:renameSync\(|recursive: true)/m;
  return lines(locking, () => true, forbidden);
}

/** Lists that stay short: the end of a path, and what is spread there. */
const SHORT_LISTS: readonly string[] = [
  // Tuples.
  ...["postgres_store.ts branchQuery", "session_diff.ts sides", "stats.ts ends"],
  ...["push_executor.ts segment", "fold_segments.ts segment", "item_events.ts cached"],
  ...["segment_writer.ts ["],
  // Values of code: patterns, shapes, parts of a date, timetables.
  ...["byte_pattern.ts bytes.map", "lines_holding.ts patterns.map", "message_shape.ts shapes"],
  ...["codex_writer.ts day", "watch_agenda.ts due"],
  // Bytes up to a constant.
  ...["scan_json.ts bytes.subarray", "iso_digits.ts bytes.subarray", "find_elements.ts scan.text"],
  ...["base64.ts bytes.subarray", "byte_text.ts bytes.subarray"],
  // Events up to a constant, and the arguments of a caller.
  ...["sqlite_reader.ts parameters", "in_order.ts values"],
  // A primary key with a content.
  ...["database_rewrite.ts values"],
  // The cells of a row whose columns a table has.
  ...["add_rows.ts Object.values"],
  // Rows up to a constant.
  ...["usage_table.ts values"],
  ...["site_folder.ts steps", "agent_family.ts more", "system_path.ts names", "_reader.ts given"],
  ...["_command_parser.ts given"],
  // Of a page in a browser: its hits, the marks of an excerpt, its buttons.
  ...["search_script.ts marked", "search_script.ts hits", "page_script.ts ranges.slice"],
  ...["page_script.ts shown.map", "make_element.ts children"],
];

/**
 * Lists that are spread into the arguments of a call. Arguments lie on the stack, so a long list ends
 * the program.
 */
function spreadArguments(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) => {
    const text = withoutComments(source);
    return [...text.matchAll(/\.\.\.(?:await )?(?<list>[\w#.]*\w|\[|\()(?<typed>:?)/g)].flatMap(
      (found) => {
        const { list = "", typed } = found.groups ?? {};
        const open = enclosing(text, found.index);
        const is_call = text[open] === "(" && /[\w)\]>#]\s*$/.test(text.slice(0, open));
        // The parameters of a function have a type.
        const is_short = typed !== "" || /^[A-Z_]+\b/.test(list) ||
          SHORT_LISTS.some((one) => `${path} ${list}`.endsWith(one));
        return !is_call || is_short ? [] : [`${path} ${list}`];
      },
    );
  });
}

/** Finds the bracket that encloses a place. */
function enclosing(text: string, place: number): number {
  let depth = 0;
  for (let at = place - 1; at >= 0; at--) {
    if (/[)\]}]/.test(text[at] ?? "")) depth++;
    else if (/[([{]/.test(text[at] ?? "") && depth-- === 0) return at;
  }
  return -1;
}

function longFiles(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) => {
    const code = withoutComments(source).split("\n").filter((line) => line.trim() !== "").length;
    return code > (path === "main.ts" ? 30 : 260) ? [`${path}: ${code} lines of code`] : [];
  });
}

function logicInModules(sources: Sources): string[] {
  return [...sources].filter(([path]) => isEntry(path)).flatMap(([path, source]) =>
    withoutComments(source).replaceAll(/^export [^;]*;$/gm, "").trim() === ""
      ? []
      : [`${path} does more than re-export`]
  );
}

/**
 * The files of lib that resolve paths: of this process, of its user, and of files that are there. They
 * get a session's directory from `core/workspace/session_directory.ts` alone, which knows whose path it is.
 */
const RESOLVERS = new Set(
  `features/adapters/claude_session_store agents/aider/locate agents/gemini/project_root
   agents/pi/write/omp_writer features/backup/kept_folder features/backup/restore_session features/backup/root_watches features/backup/bundle/work_tree
   features/blame/blame_file library/touches/find_touches features/blame/git/repository features/chat/tools/file_tool
   features/chat/tools/tool_input features/chat/workplace library/library agents/engine/files/folder_match frontends/recall/recall_gate
   features/repair/hold_session core/store/import/source_copy core/store/open_store features/setup/carry_out
   agents/contract/agent_roots features/team/store_address core/workspace/cache_folder core/workspace/disk_encryption
   core/workspace/project core/workspace/real_directory core/workspace/session_directory`
    .split(/\s+/),
);

/** Finds other files that resolve paths, and commands that resolve a session's directory. */
function resolvings(sources: Sources): string[] {
  return [...sources].filter(([path, source]) => {
    const code = withoutComments(source);
    if (path.startsWith("commands/")) {
      return /\b(?:resolve|realPathSync)\((?:[^()]*, )?(?!flags\.|context\.)[\w.]*\.cwd\b/.test(
        code,
      );
    }
    const names =
      /import \{[^}]*\b(?:resolve|relative|realPathSync)\b[^}]*\} from "(?:node:path|.*\/files\.ts)"/;
    const is_free = !path.startsWith("lib/") || path.startsWith("lib/core/platform/");
    return !is_free && !RESOLVERS.has(path.slice(4, -3)) && names.test(code);
  }).map(([path]) => path);
}

/** A rule, and sources that break it: each of them once, and only this rule is asked. */
export interface Rule {
  name: string;
  violations: (sources: Sources) => string[];
  broken: Record<string, string>[];
}

/** All rules, in the order in which ARCHITECTURE.md tells them. */
export const RULES: Rule[] = [
  {
    name: "arrows lead down the six groups, and down the rows of each; features do not meet",
    violations: wrongArrows,
    broken: [
      { "lib/core/event/a.ts": 'import { b } from "../log/b.ts";' },
      { "lib/core/log/a.ts": 'export type { B } from "../projection/b.ts";' },
      { "lib/core/store/a.ts": 'import type {\n  B,\n} from "../../agents/engine/b.ts";' },
      { "lib/core/store/session.ts": 'import type { B } from "../../text/shape/b.ts";' },
      { "lib/text/render/a.ts": 'const b = await import("../../agents/contract/b.ts");' },
      { "lib/text/render/a.ts": 'import { b } from "../shape/b.ts";' },
      { "lib/agents/a/a.ts": 'import "../../../commands/b.ts";' },
      { "lib/agents/engine/a.ts": 'import { b } from "../../text/shape/b.ts";' },
      { "lib/agents/contract/a.ts": 'import { b } from "../engine/b.ts";' },
      { "lib/library/search/a.ts": 'type B = typeof import("../../features/chat/b.ts");' },
      { "lib/library/catalogue/a.ts": 'import type { B } from "../query/b.ts";' },
      { "lib/library/query/a.ts": 'import type { B } from "../library.ts";' },
      { "lib/features/backup/a.ts": 'import { b } from "../handover/b.ts";' },
      { "lib/frontends/mcp/a.ts": 'import { b } from "../acp/b.ts";' },
      { "lib/core/log/a.ts": 'import { b } from "../../../mod.ts";' },
      { "lib/core/log/a.ts": 'import { b } from "../pipeline/mod.ts";' },
      { "lib/library/search/a.ts": 'import { b } from "../../core/pipeline/mod.ts";' },
      { "lib/core/other/a.ts": 'import { b } from "../event/b.ts";' },
      { "lib/other/event/a.ts": 'import { b } from "../../core/event/b.ts";' },
      { "lib/features/adapters/a.ts": 'import { b } from "../../core/event/b.ts";' },
      { "mod.ts": 'export * from "./commands/a.ts";' },
      { "mod.ts": 'export * from "./lib/library/mod.ts";' },
      { "lib/frontends/ui/a.ts": 'import type { B } from "../../library/query/b.ts";' },
    ],
  },
  {
    name: "what the front reaches lies in core and in text/shape",
    violations: beyondCore,
    broken: [
      {
        "mod.ts": 'export * from "./lib/core/event/a.ts";',
        "lib/core/event/a.ts": 'const b = await import("../../library/query/b.ts");',
      },
    ],
  },
  {
    name: "one name is one type, and one type has one name",
    violations: doubledTypes,
    broken: [
      {
        "lib/core/log/a.ts": "export interface A {\n  b: string;\n}\n",
        "lib/core/event/a.ts": "export type A = string;\n",
      },
      {
        "lib/core/log/a.ts": "export interface A {\n  b: string;\n  c?: number;\n}\n",
        "lib/core/event/a.ts": "export interface B {\n  c?: number;\n  readonly b: string;\n}\n",
      },
    ],
  },
  {
    name: "commands take no keys, and leave locales to lib",
    violations: screensInCommands,
    broken: [
      { "commands/a.ts": 'import { scrollOf } from "../lib/frontends/ui/pager.ts";' },
      { "commands/a.ts": "  return new Intl.Segmenter();" },
    ],
  },
  {
    name: "one agent's reader does not import another's",
    violations: agentsThatMeet,
    broken: [{ "lib/agents/a/read.ts": 'import type { B } from "../b/record.ts";' }],
  },
  {
    name: "an agent is named in its folder, in the list of names and in the list of descriptors",
    violations: agentsNamedElsewhere,
    broken: [
      { "lib/agents/a/read.ts": "", "lib/library/b.ts": '  if (name === "a") return;' },
      { "lib/agents/a/read.ts": "", "lib/agents/b/read.ts": "  const other = `a`;" },
      { "lib/agents/a/read.ts": "", "lib/library/b.ts": 'await import("../agents/a/read.ts");' },
    ],
  },
  {
    name: "commands load agents, render, redaction, search and chat only when they need them",
    violations: eagerImports,
    broken: [{ "commands/a.ts": 'import { b } from "../lib/text/render/b.ts";' }],
  },
  {
    name: "no file imports itself in a circle, types and imports at run time included",
    violations: circles,
    broken: [
      {
        "lib/core/log/a.ts": 'import { b } from "./b.ts";',
        "lib/core/log/b.ts": 'import type { A } from "./a.ts";',
      },
      {
        "lib/core/log/a.ts": 'import { b } from "./b.ts";',
        "lib/core/log/b.ts": 'const { a } = await import("./a.ts");',
      },
      { "lib/core/log/a.ts": 'import { a } from "./a.ts";' },
    ],
  },
  {
    name: "every file that is imported is there",
    violations: missingFiles,
    broken: [{ "lib/core/log/a.ts": 'import { b } from "./gone.ts";' }],
  },
  {
    name: "imports are relative, of node, or of an npm package in an exact version",
    violations: foreignSpecifiers,
    broken: [
      'import "npm:marked@^18";',
      'import "npm:marked";',
      'import { a } from "jsr:@std/path@1.0.0";',
      'import a from "https://example.com/a.ts";',
      'import a from "commander";',
      'import a from "./a.js";',
      'const a = await import("@std/path");',
    ].map((source) => ({ "lib/core/log/a.ts": source })),
  },
  {
    name: "no file has a name that says nothing",
    violations: vagueNames,
    broken: [
      "lib/core/log/utils.ts",
      "lib/helpers/a.ts",
      "commands/_common.ts",
      "lib/core/event/types.ts",
    ]
      .map((path) => ({ [path]: "" })),
  },
  {
    name: "files are named in snake_case",
    violations: oddNames,
    broken: ["lib/core/log/logWriter.ts", "lib/core/log/log-writer.ts"].map((path) => ({
      [path]: "",
    })),
  },
  {
    name: "event, projection, shape, render and namespace.ts are pure",
    violations: impurities,
    broken: [
      ["lib/core/event/a.ts", "  const now = new Date();"],
      ["lib/core/event/a.ts", "  return Date.now();"],
      ["lib/core/projection/a.ts", "  if (Math.random() < 1) return;"],
      ["lib/text/shape/providers/a.ts", "  return crypto.randomUUID();"],
      ["lib/text/render/a.ts", 'import { environmentVariable } from "../platform/process.ts";'],
      ["lib/text/render/a.ts", 'import { readFileSync } from "node:fs";'],
      ["lib/core/workspace/namespace.ts", 'import { realPathSync } from "../platform/files.ts";'],
    ].map(([path = "", source = ""]) => ({ [path]: source })),
  },
  {
    name: "lib neither prints, nor reads arguments, nor asks, nor exits",
    violations: libPrints,
    broken: [
      '  console.log("x");',
      "  exitProcess(1);",
      "  const [first] = programArguments();",
      '  const name = prompt("Name?");',
      "  standardOutput().writeSync(bytes);",
    ].map((source) => ({ "lib/core/store/a.ts": source })),
  },
  {
    name: "files are opened to be read in one place, which takes regular ones alone",
    violations: openings,
    broken: [
      "  using file = openSync(path, { read: true });",
      'import { open } from "../platform/files.ts";',
      'import {\n  lstat,\n  readFile,\n  stat,\n} from "../platform/files.ts";',
      'import { openSync } from "node:fs";',
      'import { createReadStream, readFileSync } from "node:fs";',
    ].flatMap((source) => [{ "lib/core/store/a.ts": source }, { "commands/a.ts": source }]),
  },
  {
    name: "only named files resolve paths, and none a session's directory as it is written",
    violations: resolvings,
    broken: [
      { "lib/core/store/a.ts": 'import { join, resolve } from "node:path";' },
      { "lib/frontends/mcp/a.ts": 'import { realPathSync } from "../platform/files.ts";' },
      { "commands/a.ts": "  const path = resolve(context.cwd, summary.cwd);" },
    ],
  },
  {
    name: "only the platform knows the runtime",
    violations: namesOfRuntimes,
    broken: [
      "  return Deno.statSync(path);",
      '  if (typeof Deno === "object") return;',
      "  return Bun.file(path);",
      "  const directory = process.cwd();",
      'import { hostname } from "node:os";',
      'import process from "node:process";',
    ].flatMap((source) => [{ "lib/core/log/a.ts": source }, { "commands/a.ts": source }]),
  },
  {
    name: "no built-in function is newer than Node 22",
    violations: newerThanNode,
    broken: [
      "  return Promise.try(() => read(path));",
      "  return bytes.toBase64();",
      "  using stack = new DisposableStack();",
      "  const form = /(?i:a)b/;",
    ].map((source) => ({ "lib/core/log/a.ts": source })),
  },
  {
    name:
      "what a mode lets others do is judged in one place, which knows the systems without modes",
    violations: judgedModes,
    broken: [{ "lib/text/seal/a.ts": "  if ((mode & 0o077) !== 0) return;" }],
  },
  {
    name: "the home is found in one place, which knows its variable on each system",
    violations: homesElsewhere,
    broken: [{ "commands/a.ts": '  const home = context.variable("HOME");' }],
  },
  {
    name: "a folder is moved or deleted by its lock, which Windows wants closed",
    violations: movedWithLock,
    broken: [
      { "lib/core/store/trash/a.ts": "  const lock = await acquireLock(a);\n  renameSync(a, b);" },
    ],
  },
  {
    name: "only the user's command, pager, browser and agents are started",
    violations: programs,
    broken: [
      '  startProgram("git", { args });',
      'import { execFile } from "node:child_process";',
    ].flatMap((source) => [{ "lib/features/chat/a.ts": source }, { "commands/a.ts": source }]),
  },
  {
    name: "the network is reached for models, teams and pages alone",
    violations: connections,
    broken: [
      '  const response = await fetch("https://example.com");',
      'import { connect } from "node:net";',
      '  const { default: pg } = await import("npm:pg@8.23.1");',
    ].flatMap((source) => [{ "lib/frontends/mcp/a.ts": source }, { "commands/a.ts": source }]),
  },
  {
    name: "files and folders are made with a mode, but for those of projects, agents and teams",
    violations: publicFiles,
    broken: [
      "  mkdirSync(path, { recursive: true });",
      "  writeTextFileSync(path, text);",
      "  using file = openSync(path, { write: true, createNew: true });",
    ].map((source) => ({ "lib/core/store/a.ts": source })),
  },
  {
    name: "only main.ts exits",
    violations: exits,
    broken: [{ "commands/a.ts": "  exitProcess(1);" }],
  },
  {
    name: "no list is spread into the arguments of a call, unless it stays short",
    violations: spreadArguments,
    broken: [
      "a.push(...b);",
      "Math.max(0, ...b.map((c) => c));",
      "a(...(b ?? []));",
      "a(...await b());",
    ]
      .map((source) => ({ "lib/core/log/a.ts": source })),
  },
  {
    name: "no file is too long to be read at once",
    violations: longFiles,
    broken: [{ "main.ts": "run();\n".repeat(31) }, { "lib/core/log/a.ts": "run();\n".repeat(261) }],
  },
  {
    name: "what programs import only re-exports",
    violations: logicInModules,
    broken: ["mod.ts", "lib/core/pipeline/mod.ts"].map((path) => {
      return { [path]: 'export * from "./lib/core/event/a.ts";\nconst a = 1;\n' };
    }),
  },
];
