/** JSON with a hostile value in one place, for each command that reads a file or a pipe. */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { roundsOf } from "../_support/few_rounds.ts";
import { user } from "../_support/log_bytes.ts";
import { type Random, seededRandom } from "./_random.ts";

const SEED = Number(Deno.env.get("REPRISE_HOSTILE_SEED") ?? 20_261_128);
const DEEP = 20_000;

/** Texts of JSON that stand in the place of a value. */
const HOSTILE = [
  ...["null", "true", "-1", "1.5", "1e308", "-1e308", "1e21", "1e400", "8640000000000001", "9e15"],
  ...[
    '""',
    '"\\u0000"',
    '"\\ud800"',
    '"-271821-04-20T00:00:00.000Z"',
    '"+275760-09-13T00:00:00.001Z"',
  ],
  ...['"9999-99-99"', "[]", "{}", "[null]", '{"__proto__":null}', '{"length":1e9}', '"/dev/zero"'],
  ...["[".repeat(DEEP) + "]".repeat(DEEP), '{"a":'.repeat(DEEP) + "1" + "}".repeat(DEEP)],
];

const NUMBERS = HOSTILE.filter((text) => /^-?\d/.test(text));

/** A value, or a member's, in a text of JSON. */
const VALUES = /(?<=[:[,]\s*)(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)(?=\s*[,\]}])/g;

/** Puts hostile values in the place of a few others, or one in the place of all numbers. */
function poison(text: string, random: Random): string {
  if (random(3) === 0) {
    const number = NUMBERS[random(NUMBERS.length)] ?? "";
    return text.replaceAll(VALUES, (value) => /^[-\d]/.test(value) ? number : value);
  }
  const places = [...text.matchAll(VALUES)];
  let result = text;
  const chosen = Array.from({ length: 1 + random(3) }, () => places[random(places.length)]);
  for (const place of new Set(chosen.toSorted((a, b) => (b?.index ?? 0) - (a?.index ?? 0)))) {
    if (place === undefined) continue;
    const value = HOSTILE[random(HOSTILE.length)] ?? "";
    result = result.slice(0, place.index) + value + result.slice(place.index + place[0].length);
  }
  return result;
}

/** Runs a command; a status of 70 names the round. */
async function assertNoFault(
  home: CliHome,
  args: readonly string[],
  round: string,
  stdin?: string,
): Promise<void> {
  const { status, stderr } = await home.run(args, stdin === undefined ? {} : { stdin });
  assert.notEqual(status, 70, `${round}: reprise ${args.join(" ")}\n${stderr.slice(0, 3000)}`);
}

function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = join(folder, name);
    if (isDirectory) return filesBelow(path);
    return /\.(?:jsonl?|ndjson)$/.test(name) && Deno.statSync(path).size < 200_000 ? [path] : [];
  }).sort();
}

const READING = [
  ["show", "--full"],
  ["show", "--json"],
  ["import"],
  ["secrets"],
  ["doctor"],
  ["context"],
  ["files"],
  ["conversation", "--format", "anthropic"],
  ...["md", "html", "atif", "sts", "otlp", "json"].map((format) => ["export", "--format", format]),
];

const FILES = roundsOf(800, 20);

// Slow: a command reads each file.
Deno.test("sessions with hostile values are no fault of the program", async () => {
  await using home = new CliHome();
  const random = seededRandom(SEED);
  const files = filesBelow(new URL("../../testdata/agents", import.meta.url).pathname);
  for (let round = 0; round < FILES; round++) {
    const file = files[random(files.length)] ?? "";
    const path = join(home.work, `${round}-${basename(file)}`);
    Deno.writeTextFileSync(path, poison(Deno.readTextFileSync(file), random));
    const [name = "", ...flags] = READING[random(READING.length)] ?? [];
    await assertNoFault(home, [name, path, ...flags], `${round} of seed ${SEED}, ${file}`);
  }
});

const TIME = "2026-11-21T20:00:00.000Z";
const USED = { input_tokens: 9, output_tokens: 9, cache_read_input_tokens: 9 };
const ANSWER = { id: "m", role: "assistant", model: "claude-sonnet-4-5", content: [], usage: USED };
const RECORD = { sessionId: "s", cwd: "/work", timestamp: TIME, version: "2.1.100" };

/** Files of a home, each of which is read by lists or by its own command. */
const HOME_FILES: Record<string, unknown[]> = {
  ".claude/projects/-work/one.jsonl": [
    { ...RECORD, type: "user", uuid: "u1", message: { role: "user", content: "hello" } },
    ...["a1", "a2"].map((uuid) => ({
      ...RECORD,
      type: "assistant",
      uuid,
      message: { ...ANSWER, id: uuid },
    })),
    { type: "summary", summary: "Title", leafUuid: "a2" },
  ],
  ".claude/history.jsonl": [
    { display: "gone", pastedContents: {}, timestamp: 1e12, project: "/work", sessionId: "g" },
  ],
  ".claude/settings.json": [{ statusLine: { type: "command" }, cleanupPeriodDays: 30 }],
  ".claude.json": [{ mcpServers: { a: { command: "x", args: ["y"] } } }],
  ".codex/history.jsonl": [{ session_id: "g", ts: 1e9, text: "gone" }],
  ".gemini/settings.json": [{ mcpServers: { a: { command: "x" } } }],
  "store/config.json": [{ "session.enabled": true, "chat.model": "mock", "backup.keep": 3 }],
  "store/marks.jsonl": [{ ref: "claude:one", time: TIME, tags: ["a"], title: "t", pinned: true }],
  "store/prices.json": [{ as_of: "2026-01-01", models: { m: { input: 1, output: 2 } } }],
  "store/sync.json": [{ v: 1, url: "/nowhere", projects: [{ id: "a", directories: ["/work"] }] }],
};

const HOME_COMMANDS = [
  ...["list --all", "list --all --json --exact", "list --gone --all", "stats --all", "doctor"],
  ...["stats --all --by window", "search hello --all", "search gone --gone --all", "setup"],
  ...[
    "setup --remove",
    "config list",
    "backup --agent claude",
    "backup claude:one",
    "backup list",
    "import claude:one",
    "show claude:g",
    "cache status",
  ],
  ...[
    "doctor agents",
    "sync",
    "secrets claude:one",
    "show claude:one",
    "delete --older-than 1d --dry-run",
  ],
  ...["stats --all --by day --json", "index build", "trash list", "tag claude:one b"],
].map((line) => line.split(" "));

/** Lines for the commands that read a pipe. */
const PIPES: [args: string[], lines: unknown[]][] = [
  [["statusline"], [{
    ...{ session_id: "s", transcript_path: "/x", model: { id: "m", display_name: "M" } },
    ...{ cost: { total_cost_usd: 1 }, context_window: { used_percentage: 4 } },
    rate_limits: { five_hour: { resets_at: 1.8e9 } },
  }]],
  [["record"], [
    { kind: "user_message", time: TIME, turn_id: "t", payload: { content: "hi" } },
    {
      kind: "assistant_message",
      payload: { content: [{ type: "text", text: "x" }], usage: { input: 1, output: 2 } },
    },
  ]],
  [["mcp"], [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18" } },
    {
      ...{ jsonrpc: "2.0", id: 2, method: "tools/call" },
      params: { name: "search_sessions", arguments: { query: "x", limit: 3, since: "7d" } },
    },
  ]],
  [["acp"], [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } },
    { jsonrpc: "2.0", id: 2, method: "session/list", params: { cursor: "x", cwd: "/work" } },
    { jsonrpc: "2.0", id: 3, method: "session/new", params: { cwd: "/", mcpServers: [] } },
  ]],
];

function linesOf(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

const HOMES = roundsOf(400, 8);

// Slow: twelve commands, each of which reads a home.
Deno.test("times that no date holds and counts beyond a double are no fault of the program", async () => {
  await using home = new CliHome();
  for (const [name, values] of Object.entries(HOME_FILES)) {
    if (name.startsWith("store")) continue;
    const path = join(home.path, name);
    Deno.mkdirSync(join(path, ".."), { recursive: true });
    const number = name.endsWith("history.jsonl") ? "8640000000000001" : "1e308";
    const text = linesOf(values).replaceAll(VALUES, (value) => /^\d/.test(value) ? number : value);
    Deno.writeTextFileSync(path, text);
  }
  const commands = HOME_COMMANDS.filter(([name = ""]) =>
    /^(?:list|import|backup|se|show|st)/.test(name)
  );
  for (const args of commands) await assertNoFault(home, args, "known values");
});

// Slow: commands read a home of several agents.
Deno.test("files of a home with hostile values are no fault of the program", async () => {
  const random = seededRandom(SEED);
  const names = Object.keys(HOME_FILES);
  for (let round = 0; round < HOMES; round++) {
    await using home = new CliHome();
    home.keep(sessionId("aaaa"), [user("hello")]);
    const chosen = names[random(names.length)];
    for (const [name, values] of Object.entries(HOME_FILES)) {
      if (name.startsWith("store") && name !== chosen) continue;
      const path = join(home.path, name);
      Deno.mkdirSync(join(path, ".."), { recursive: true });
      Deno.writeTextFileSync(
        path,
        name === chosen ? poison(linesOf(values), random) : linesOf(values),
      );
    }
    for (let command = 0; command < 4; command++) {
      const args = HOME_COMMANDS[random(HOME_COMMANDS.length)] ?? [];
      await assertNoFault(home, args, `${round} of seed ${SEED}, ${chosen}`);
    }
  }
});

// Slow: each round is a command.
Deno.test("pipes with hostile values are no fault of the program", async () => {
  await using home = new CliHome();
  const random = seededRandom(SEED);
  for (let round = 0; round < roundsOf(400, 15); round++) {
    const [args, lines] = PIPES[random(PIPES.length)] ?? [[], []];
    await assertNoFault(home, args, `${round} of seed ${SEED}`, poison(linesOf(lines), random));
  }
});
