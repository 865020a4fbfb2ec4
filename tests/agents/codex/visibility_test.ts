import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type CliHome, inHome } from "../../_support/cli_home.ts";
import { hiddenIn } from "../../_support/hidden_in.ts";

type Json = Record<string, unknown>;

function idOf(number: number): string {
  return `01a1aaaa-0000-7000-8000-${String(number).padStart(12, "0")}`;
}

/** Puts a rollout with a prompt, or without one, into a home. */
function put(
  home: CliHome,
  id: string,
  head: Json,
  folder = "sessions/2026/03/01",
  said = true,
): string {
  const path = join(home.path, ".codex", folder, `rollout-2026-03-01T09-00-00-${id}.jsonl`);
  Deno.mkdirSync(dirname(path), { recursive: true });
  const meta = { id, timestamp: "2026-03-01T09:00:00.000Z", cwd: home.work, originator: "codex" };
  const content = [{ type: "input_text", text: "Go" }];
  const records = [
    ["session_meta", {
      ...meta,
      cli_version: "0.169.0",
      source: "cli",
      model_provider: "openai",
      ...head,
    }],
    ...(said
      ? [
        ["response_item", { type: "message", role: "user", content }],
        ["event_msg", { type: "user_message", message: "Go" }],
      ]
      : [["response_item", {
        ...{ type: "message", role: "assistant" },
        content: [{ type: "output_text", text: "A" }],
      }]]),
  ];
  const lines = records.map(([type, payload]) =>
    JSON.stringify({ timestamp: meta.timestamp, type, payload }) + "\n"
  );
  Deno.writeTextFileSync(path, lines.join(""));
  return path;
}

/** Makes a state database with the columns that the list asks for (0.169: `threads`). */
function makeState(home: CliHome, rows: Json[], name = "state_5.sqlite"): void {
  using database = new DatabaseSync(join(home.path, ".codex", name));
  database.exec(
    "CREATE TABLE threads (id TEXT PRIMARY KEY, rollout_path TEXT, source TEXT, " +
      "model_provider TEXT, archived INTEGER DEFAULT 0, preview TEXT DEFAULT 'Go')",
  );
  for (const { id, path, source = "cli", provider = "openai", preview = "Go" } of rows) {
    const row = [id, path, source, provider, preview] as string[];
    database.prepare(
      "INSERT INTO threads (id, rollout_path, source, model_provider, preview) VALUES (?,?,?,?,?)",
    ).run(...row);
  }
}

const resume = (id: string, provider = ""): string =>
  `codex ${provider && `-c model_provider=${provider} `}resume ${id}`;

inHome.test("Codex's list leaves out threads by archive, source, provider, preview and row", async (home) => {
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const [one, archived, exec, other, silent, rowless, moved, review, bare] = numbers
    .map(idOf) as [string, string, string, string, string, string, string, string, string];
  const lost = join(home.path, "old", "rollout.jsonl");
  makeFolder(home);
  makeState(home, [
    { id: one, path: put(home, one, {}) },
    { id: archived, path: put(home, archived, {}, "archived_sessions") },
    { id: exec, path: put(home, exec, { source: "exec" }), source: "exec" },
    { id: other, path: put(home, other, { model_provider: "mock" }), provider: "mock" },
    { id: silent, path: put(home, silent, {}, undefined, false), preview: "" },
    { id: moved, path: lost },
    { id: bare, path: put(home, bare, { model_provider: undefined }), provider: "" },
    { id: review, path: put(home, review, {}), source: '{"subagent":"review"}' },
  ]);
  put(home, rowless, {});
  put(home, moved, {});
  // A schema before is not asked.
  makeState(home, [], "state_4.sqlite");
  assert.deepEqual(await hiddenIn(home, "codex"), {
    sessions: 9,
    hidden: [
      [archived, "the session is archived", `codex unarchive ${archived}`, resume(archived)],
      [exec, "the agent's list hides sessions started by exec", resume(exec)],
      [
        other,
        "the session used provider mock; the agent's list shows only sessions of provider openai",
      ],
      [
        silent,
        "the agent's list shows only sessions with a prompt, and this session has none",
        resume(silent),
      ],
      [
        rowless,
        "Codex's state database does not list the session yet; Codex adds the session when it next scans its session files",
        resume(rowless),
      ],
      [
        moved,
        `Codex's state database names a file that does not exist: ${lost}`,
        resume(moved),
      ],
      [review, "the agent's list hides sessions started by subagent", resume(review)],
    ],
  });
});

function makeFolder(home: CliHome): void {
  Deno.mkdirSync(join(home.path, ".codex"), { recursive: true });
}

inHome.test("without a database, Codex lists rollouts of its provider and of directories that are there", async (home) => {
  const [one, other, lost] = [1, 2, 3].map(idOf) as [string, string, string];
  const gone = join(home.path, "gone");
  put(home, one, { model_provider: "mock" });
  put(home, other, {});
  put(home, lost, { model_provider: "mock", cwd: gone });
  Deno.writeTextFileSync(
    join(home.path, ".codex", "config.toml"),
    'model_provider = "mock"\n[profiles.p]\nmodel_provider = "openai"\n',
  );
  assert.deepEqual(await hiddenIn(home, "codex"), {
    sessions: 3,
    hidden: [
      [
        other,
        "the session used provider openai; the agent's list shows only sessions of provider mock",
        resume(other, "openai"),
      ],
      [lost, `the session's directory is gone: ${gone}`, resume(lost)],
    ],
  });
});

inHome.test("resume names the provider of a thread where Codex has another one in force", async (home) => {
  const [own, other, unknown] = [idOf(1), idOf(2), idOf(3)];
  put(home, own, {});
  put(home, other, { model_provider: "ollama" });
  put(home, unknown, { model_provider: "lost" });
  const printed = await home.runAll([own, other, unknown].map((id) => ["resume", id, "--print"]));
  assert.deepEqual(printed.map(({ stdout }) => stdout), [
    `${resume(own)}\n`,
    `${resume(other, "ollama")}\n`,
    `${resume(unknown)}\n`,
  ]);
});

/** Makes a history database as Codex 0.169 does, with some turns of a thread. */
function makeHistory(home: CliHome, id: string, turns: readonly string[], to: number): void {
  using database = new DatabaseSync(join(home.path, ".codex/thread_history_1.sqlite"));
  database.exec(
    "CREATE TABLE IF NOT EXISTS thread_turns (thread_id TEXT, turn_id TEXT, rollout_ordinal INTEGER);" +
      "CREATE TABLE IF NOT EXISTS thread_history_projection_state (thread_id TEXT PRIMARY KEY, " +
      "next_rollout_byte_offset INTEGER, next_rollout_ordinal INTEGER)",
  );
  database.prepare("INSERT INTO thread_history_projection_state VALUES (?, ?, 9)").run(id, to);
  for (const turn of turns) {
    database.prepare("INSERT INTO thread_turns VALUES (?, ?, 1)").run(id, turn);
  }
}

/** Adds starts of turns to a rollout, and returns its length. */
function addTurns(path: string, turns: readonly string[], more: Json[] = []): number {
  const starts = turns.map((turn_id) => ({ type: "task_started", turn_id }));
  for (const payload of [...starts, ...more]) {
    Deno.writeTextFileSync(path, JSON.stringify({ type: "event_msg", payload }) + "\n", {
      append: true,
    });
  }
  return Deno.statSync(path).size;
}

inHome.test("Codex's history lacks turns where its database has fewer than the rollout before its place", async (home) => {
  const ids = [21, 22, 23, 24, 25].map(idOf);
  const [whole, lacking, behind, taken, unknown] = ids as [string, string, string, string, string];
  makeFolder(home);
  const paths = new Map(ids.map((id) => [id, put(home, id, {})]));
  makeState(home, ids.map((id) => ({ id, path: paths.get(id) })));
  const add = (id: string, turns: string[], more?: Json[]): number =>
    addTurns(paths.get(id) ?? "", turns, more);
  makeHistory(home, whole, ["a", "b"], add(whole, ["a", "b"]));
  makeHistory(home, lacking, ["a"], add(lacking, ["a", "b", "c"]));
  makeHistory(home, behind, ["a"], add(behind, ["a"]));
  add(behind, ["b"]);
  makeHistory(home, taken, ["a"], add(taken, ["a", "b"], [{ type: "thread_rolled_back" }]));
  add(unknown, ["a"]);
  const reason =
    "Codex's history database has only 1 of the session's 3 turns, so its app does not show the others";
  assert.deepEqual(await hiddenIn(home, "codex"), {
    sessions: 5,
    hidden: [[lacking, reason, resume(lacking)]],
  });
});
