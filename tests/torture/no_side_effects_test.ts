/** What commands touch: those that read change nothing, and none leaves the store. */
import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { openLocalStore } from "../../lib/core/store/open_store.ts";
import type { CommandTable } from "../../commands/_command.ts";
import { programTable } from "../../commands/_program_table.ts";
import { factsIn } from "../../lib/library/catalogue/facts_file.ts";
import { AGENT_FOLDERS, furnishAgents } from "../_support/agent_homes.ts";
import { cliCommand, cliEnvironment, type CliResult, jsonLines } from "../_support/cli.ts";
import { CliHome, inHome } from "../_support/cli_home.ts";
import { everyKind } from "../_support/every_kind.ts";
import { assistant, logOf, toolStart, user } from "../_support/log_bytes.ts";
import type { CommandLine } from "../_support/children/commands_child.ts";
import { type TracedCommand, tracedInOne } from "../_support/commands_in_one.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { runTraced, STRACE } from "../_support/strace.ts";
import { CHANGES, isRuntimes, touchedPaths } from "../_support/touched_paths.ts";
import { needing } from "../_support/needing.ts";

/** The first folder on the way to the cache. */
const CACHE_BASE = Deno.build.os === "darwin" ? "Library" : ".cache";
const CLOSED = "aaaa0000-0000-4000-8000-000000000001";
const TORN = "bbbb0000-0000-4000-8000-000000000002";
const NOISE = "cccc0000-0000-4000-8000-000000000003";

/** Commands that read, with what must be in their output. */
const READING: [string[], RegExp][] = [
  [["list"], /closed prompt/],
  [["list", "--all", "--exact", "--json"], /"title":"closed prompt"/],
  [["list", "--archived"], /No session .*matches/],
  [["show", "aaaa"], /closed prompt/],
  [["show", "aaaa", "--events"], /session_started/],
  [["show", "bbbb", "--json"], /torn prompt/],
  [["conversation", "aaaa"], /closed prompt/],
  [["conversation", "bbbb", "--format", "anthropic"], /torn prompt/],
  [["resume", "aaaa"], /chat --resume/],
  [["resume", "aaaa", "--print"], /chat --resume/],
  [
    ["resume", "aaaa", "--in", "pi", "--print"],
    /^reprise resume \S+ --in pi\n[^]*Nothing was written/,
  ],
  [["resume", "bbbb", "--json"], /torn prompt/],
  [["handover", "bbbb", "--to", "pi", "--force", "--dry-run"], /Nothing was written/],
  [["setup", "--print-skill"], /reprise search/],
  [["path", "bbbb"], /transcript_events\.jsonl/],
  [["diff", "aaaa", "bbbb"], /torn prompt/],
  [["doctor", "cccc"], /./],
  [["doctor"], /./],
  [["config"], /./],
  [["config", "get", "session.enabled"], /^(?:true|false)\n$/],
  [["config", "path"], /config\.json\n$/],
  [["search", "prompt"], /torn prompt/],
  [["search", "--regex", "PROMPT", "--json"], /"seq":2/],
  [["index", "status"], /There is no index yet/],
  [["export", "aaaa"], /closed prompt/],
  [["export", "bbbb", "--format", "html"], /torn prompt/],
  [["export", "aaaa", "--format", "jsonl"], /session_started/],
  [["secrets", "aaaa"], /No secrets/],
  [["secrets", "aaaa", "--json"], /^/],
  [["secrets", "aaaa", "--scrub"], /No secrets/],
  [["secrets", "--all"], /No secrets/],
  [["send", "aaaa", "--dry-run"], /Nothing was written/],
  [["take", "none.reprise", "--dry-run"], /./],
  [["stats"], /./],
  [["digest", "--all", "--since", "2026-01-01"], /torn prompt/],
  [["delete", "--max-size", "1B", "--dry-run"], /Would move 3 sessions/],
  [["trash", "list"], /trash is empty/],
  [["trash", "empty", "--dry-run"], /./],
  [["relink", "--list"], /./],
  [["relink", "--json"], /^/],
  [["setup", "--dry-run"], /Nothing/],
  [["backup", "aaaa", "--dry-run"], /./],
  [["backup", "list", "--json"], /^/],
  [["backup", "restore", "aaaa", "--dry-run", "--json"], /./],
  [["pack", "codex", "--json"], /^/],
  [["repair", "cccc", "--json"], /./],
  [["doctor", "agents", "--json"], /^/],
  [["files", "aaaa", "--json"], /^/],
  [["files", "aaaa", "--restore"], /./],
  [["blame", "README.md", "--json"], /./],
  [["context", "aaaa", "--json"], /./],
  [["tag", "aaaa", "--json"], /./],
  [["diff", "aaaa", "bbbb", "--json"], /./],
  [["doctor", "aaaa", "--json"], /./],
  [["doctor", "--json"], /^/],
  [["config", "list", "--json"], /./],
  [["stats", "--json"], /^/],
  [["digest", "--all", "--since", "2026-01-01", "--json"], /torn prompt/],
  [["cap", "--json"], /^/],
  [["trash", "list", "--json"], /^/],
  [["trash", "empty", "--dry-run", "--json"], /^/],
  [["delete", "--max-size", "1B", "--dry-run", "--json"], /./],
  [["sync", "--json"], /machines/],
  [["completions", "bash", "--", "show", "aa"], /aaaa/],
];

/** Commands that write what they print as JSON, run until they are ended, or need a store of a team. */
const OTHERS = new Set([
  ...["watch", "chat", "fork", "merge", "import", "record", "delete", "handover --json"],
  ...["trash restore", "backup --json", "backup prune", "sync push", "sync pull"],
  ...["sync check", "cache", "index"],
]);

Deno.test("each command that prints JSON, or promises to write nothing, is among those tried", async () => {
  const tried = READING.map(([args]) => args.join(" "));
  const missing: string[] = [];
  const look = (name: string, { flags = {}, commands = {} }: CommandTable): void => {
    for (
      const [, flag = ""] of Object.keys(flags).join(" ").matchAll(/(--(?:json|print|dry-run))\b/g)
    ) {
      const is_tried = tried.some((line) => line.startsWith(name) && line.includes(flag));
      const is_other = [...OTHERS].some((other) => `${name} ${flag}`.startsWith(other));
      if (!is_tried && !is_other) missing.push(`${name} ${flag}`);
    }
    for (const [word, below] of Object.entries(commands)) look(`${name} ${word}`, below);
  };
  for (const [word, below] of Object.entries((await programTable()).commands ?? {})) {
    look(word, below);
  }
  assert.deepEqual(missing, []);
});

/** A command line that neither reads nor writes what is kept of sessions. */
function plain([name = "", ...args]: readonly string[]): string[] {
  return [name, "--no-cache", ...args];
}

/** A store with a closed session, a torn one and one full of noise; none has a lock file. */
function furnish(home: CliHome): void {
  Deno.mkdirSync(join(home.path, ".pi", "agent"), { recursive: true });
  const more = [assistant("answer"), toolStart("c1")];
  home.keep(CLOSED, [user("closed prompt"), ...more, {
    kind: "session_closed",
    payload: { status: "completed" },
  }]);
  const torn = home.keep(TORN, [user("torn prompt"), ...more]);
  Deno.writeTextFileSync(torn.path, '{"v":1,"seq":9,"ki', { append: true });
  const noise = logOf(everyKind());
  noise.fill(0, 700, 900);
  home.keep(NOISE, [], { bytes: noise });
}

inHome.test("P6 commands that read change no byte, size, time or mode, and make no file", async (home) => {
  furnish(home);
  const before = snapshot(home.path);
  assert.ok(before.length > 10);
  const results = await home.runAll(READING.map(([args]) => plain(args)));
  for (const [index, { stdout, stderr }] of results.entries()) {
    const [args, shown] = READING[index] ?? [[], /./];
    assert.match(stdout + stderr, shown, args.join(" "));
  }
  assert.deepEqual(snapshot(home.path), before);
});

/** All files of a home but those of the cache folder. */
function withoutCache(home: CliHome): string[] {
  return ["store", "work"].flatMap((name) => snapshot(join(home.path, name)));
}

/** Without the score of a hit, which falls while the test runs, and the minute of an export. */
function ageless(result: CliResult | undefined): unknown {
  return { ...result, stdout: result?.stdout.replaceAll(/"score":[\d.]+|Exported: .* UTC/g, "") };
}

inHome.test("P6 commands that read write the cache folder and nothing else, and answer the same with it", async (home) => {
  furnish(home);
  const before = withoutCache(home);
  assert.ok(before.length > 6);
  // A document says when it was made.
  const lines = READING.map(([args]) => args).filter((args) => !args.includes("html"));
  const strict = await home.runInOrder(lines.map(plain));
  for (let round = 0; round < 2; round++) {
    for (const [index, result] of (await home.runInOrder(lines)).entries()) {
      assert.deepEqual(ageless(result), ageless(strict[index]), lines[index]?.join(" "));
    }
  }
  assert.deepEqual(withoutCache(home), before);
  const made = [...Deno.readDirSync(home.path)].map(({ name }) => name).sort();
  assert.deepEqual(made, [CACHE_BASE, ".pi", "store", "work"].sort());
  assert.equal(factsIn(home.cache).length, 1);
});

/** Files and folders of other agents, as they are. */
function agentFolders(home: CliHome): string[] {
  return AGENT_FOLDERS.flatMap((name) => snapshot(join(home.path, name)));
}

inHome.test("P6 no command changes a byte, time or mode of another agent's files", async (home) => {
  furnishAgents(home);
  const before = agentFolders(home);
  const listed = await home.run(["list", "--agent", "all", "--all", "--json"]);
  const refs = jsonLines<{ ref: string }>(listed.stdout).map(({ ref }) => ref);
  assert.ok(refs.length > 0 && before.length > 4, listed.stderr);
  const each = refs.flatMap((ref) => [
    ...[["show", ref], ["resume", ref], ["conversation", ref], ["doctor", ref], ["secrets", ref]],
    ["secrets", ref, "--scrub"],
    ...[["export", ref, "--format", "html"], ["export", ref, "--format", "jsonl"]],
    ...[["diff", ref, refs[0] ?? ref], ["import", ref], ["backup", ref], ["path", ref]],
  ]);
  const all = [
    ...[["search", "--regex", "."], ["index", "build"], ["search", "--regex", "."]],
    ...[["stats", "--agent", "all"], ["backup", "--agent", "all", "--all"], ["list", "--all"]],
    ...[["delete", "--max-size", "1B"], ["trash", "empty", "--yes"], ["doctor"]],
  ];
  const lines = [...each, ...all];
  const results = await home.runInOrder(lines);
  for (const [index, { status, stdout, stderr }] of results.entries()) {
    assert.ok(
      status === 0 || lines[index]?.join(" ").startsWith("doctor ") ||
        // What lies in a database is refused, and so is left alone.
        lines[index]?.includes("--scrub") && /^reprise: Cannot scrub secrets: /.test(stderr),
      `${lines[index]}: ${stderr}`,
    );
    assert.ok((stdout + stderr).length > 0, `${lines[index]}`);
  }
  assert.match(results.at(-2)?.stderr ?? "", /Deleted/);
  assert.deepEqual(agentFolders(home), before);
});

inHome.test("P6 the library reads a session that is being written, and changes nothing either", async (home) => {
  furnish(home);
  const store = openLocalStore({ root: home.store });
  const session = store.create({ cwd: home.work });
  await session.append(user("live prompt"));
  const before = snapshot(home.store);
  for (const ref of [CLOSED, TORN, NOISE, session.id]) {
    const { transcript } = await store.load(ref);
    assert.ok(transcript.length > 1);
  }
  assert.equal((await store.list({ exact: true })).length, 4);
  assert.ok((await store.last())?.ref.length === 36);
  const watch = store.watch(session.id);
  assert.equal((await watch.next()).done, false);
  await watch.return(undefined);
  assert.deepEqual(snapshot(home.store), before);
  await session.finish();
});

const TRACE = ["-s", "4096", "-e", `trace=${CHANGES}`];

/** Runs a command line in a process of its own, as a shell does. */
async function tracedProcess(home: CliHome, { args, input }: CommandLine): Promise<TracedCommand> {
  const options = { env: cliEnvironment({ home: home.path }), cwd: home.work };
  const before = snapshot(home.store);
  const command = [...cliCommand(), ...args];
  const path = join(home.work, "input");
  if (input !== undefined) Deno.writeTextFileSync(path, input);
  const words = command.map((word) => `'${word}'`).join(" ");
  const shell = input === undefined ? command : ["sh", "-c", `exec ${words} < '${path}'`];
  const traced = await runTraced(TRACE, shell, options);
  const calls = withoutStarts(traced.calls, input === undefined ? 1 : 2);
  return { ...traced, calls, before, after: snapshot(home.store) };
}

/** Runs command lines one after the other: the first in a process of its own. */
async function traced(home: CliHome, lines: CommandLine[]): Promise<TracedCommand[]> {
  const alone = Deno.env.has("REPRISE_BIN") ? lines : lines.slice(0, 1);
  const results: TracedCommand[] = [];
  for (const line of alone) results.push(await tracedProcess(home, line));
  const rest = lines.slice(alone.length);
  return rest.length === 0 ? results : results.concat(await tracedInOne(home, rest, TRACE));
}

function isStart(call: string): boolean {
  return / execve\(/.test(call) && !/= -1 E/.test(call);
}

function withoutStarts(calls: readonly string[], count: number): string[] {
  const starts = calls.filter(isStart).slice(0, count);
  assert.equal(starts.length, count);
  return calls.filter((call) => !starts.includes(call));
}

/** What an agent sends to use each tool of `mcp`. */
function toolCalls(): string {
  const clientInfo = { name: "test", version: "1" };
  const calls = [
    { name: "list_sessions", arguments: {} },
    { name: "search_sessions", arguments: { query: "prompt" } },
    { name: "read_session", arguments: { ref: "bbbb" } },
  ];
  const requests: [method: string, params: object][] = [
    ["initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }],
    ...calls.map((params): [string, object] => ["tools/call", params]),
  ];
  return requests.map(([method, params], id) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`
  ).join("");
}

/** True for a folder that is made on the way to the cache folder. */
function isOnWay(path: string, root: string): boolean {
  const above = dirname(root);
  return basename(above) === "reprise" && [above, dirname(above)].includes(path);
}

/** Nothing but `allowed` was touched; no process was started, and nobody was called. */
function assertStays(traced: TracedCommand, allowed: readonly string[]): void {
  assert.deepEqual(traced.calls.filter((call) => / (?:connect|listen)\(/.test(call)), []);
  assert.deepEqual(traced.calls.filter(isStart), []);
  const calls = traced.calls.filter((call) => !/ execve\(/.test(call));
  const outside = touchedPaths(calls).filter((path) =>
    !isRuntimes(path) && !allowed.some((root) => isOnWay(path, root) || path.startsWith(root))
  );
  assert.deepEqual(outside, []);
}

// Slow: the calls of 28 commands are traced.
Deno.test(
  needing(
    "P8 reading commands write only the cache, start no process and use no network",
    STRACE,
  ),
  async () => {
    await using home = new CliHome();
    furnish(home);
    const lines = [
      ["list", "--all"],
      ["show", "aaaa"],
      ["doctor", "bbbb"],
      ["conversation", "bbbb"],
      ["resume", "aaaa"],
      ["path", "cccc"],
      ["diff", "aaaa", "bbbb"],
      ["search", "prompt"],
      ["export", "aaaa", "--format", "html"],
      ["secrets", "aaaa", "--json"],
      ["backup", "--agent", "all", "--all", "--dry-run"],
      ["delete", "--max-size", "1B", "--dry-run"],
      ["completions", "bash", "--", "show", "a"],
      ["mcp"],
    ];
    const input = toolCalls();
    const both = lines.flatMap((args) => [{ args, input }, { args: plain(args), input }]);
    for (const [index, result] of (await traced(home, both)).entries()) {
      const words = both[index]?.args.join(" ");
      const shown = result.stdout.length + result.stderr.length;
      assert.ok(shown > 10, `${words}: ${result.stderr}`);
      assertStays(result, index % 2 === 0 ? [home.cache] : []);
    }
  },
);

// Slow: the calls of 20 commands are traced.
Deno.test(
  needing(
    "P8 commands that write stay in the store and the cache, but for the file that was named",
    STRACE,
  ),
  async () => {
    await using home = new CliHome();
    furnish(home);
    furnishAgents(home);
    const out = join(home.path, "clean.jsonl");
    const lines: [string[], string | undefined, string[]][] = [
      [["index", "build"], undefined, [home.cache]],
      [["record"], '{"kind":"user_message","payload":{"content":"hi"}}\n', [home.store]],
      [["index", "drop"], undefined, [home.cache]],
      [["cache", "clear"], undefined, [home.cache]],
      [["index", "build"], undefined, [home.cache]],
      [["record", "--resume", "bbbb"], '{"kind":"user_message","payload":{"content":"on"}}\n', [
        home.store,
      ]],
      [["fork", "bbbb"], undefined, [home.store]],
      [["merge", "aaaa", "bbbb"], undefined, [home.store]],
      [["rename", "aaaa", "Title"], undefined, [home.store]],
      [["archive", "aaaa"], undefined, [home.store]],
      [["import", "pi:1111"], undefined, [home.store]],
      [["backup", "pi:1111"], undefined, [home.store]],
      [["relink", "/gone", home.work], undefined, [home.store]],
      [["export", "aaaa", "--out", out], undefined, [out, join(home.path, ".clean.jsonl.")]],
      [["repair", "cccc", "--out", `${out}.2`], undefined, [out]],
      [["config", "set", "session.retention_days", "30"], undefined, [home.store]],
      [["delete", "aaaa"], undefined, [home.store]],
      [["delete", "--max-size", "1B"], undefined, [home.store]],
      [["trash", "restore", "aaaa"], undefined, [home.store]],
      [["trash", "empty", "--yes"], undefined, [home.store]],
      // What is new is indexed behind the answer, which no other line waits for.
      [["search", "prompt"], undefined, [home.cache]],
    ];
    const results = await traced(home, lines.map(([args, input]) => ({ args, input })));
    for (const [index, result] of results.entries()) {
      const [args, , allowed] = lines[index] ?? [[], undefined, []];
      assert.equal(result.status, 0, `${args.join(" ")}: ${result.stderr}`);
      assertStays(result, [...allowed, home.cache]);
      const wrote = touchedPaths(result.calls).some((path) =>
        allowed.some((root) => path.startsWith(root))
      );
      assert.ok(wrote, `${args.join(" ")} wrote`);
      if (allowed.includes(out)) assert.deepEqual(result.after, result.before);
    }
  },
);
