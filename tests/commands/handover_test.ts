import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { openLocalStore } from "../../lib/core/store/open_store.ts";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { putProgram } from "./_fake_agent.ts";
import { needing, UNIX } from "../_support/needing.ts";
import { onUnix, testsWith } from "../_support/tests_in.ts";

const inHomeWithTalk = testsWith(homeWithTalk);

const SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";

/** Says that an agent was used here. */
function use(home: CliHome, ...folders: string[]): void {
  for (const folder of folders) Deno.mkdirSync(join(home.path, folder), { recursive: true });
}

function call(name: string, input: unknown): NewEvent {
  const content = [{ type: "tool_call" as const, call_id: "c", name, input }];
  return { kind: "assistant_message", payload: { content } };
}

function end(name: string, output: string): NewEvent {
  return { kind: "tool_end", payload: { call_id: "c", name, status: "ok", output } };
}

/** Makes a home in which pi and Codex were used, with a session of ours. */
function homeWithTalk(events: readonly NewEvent[] = TALK): CliHome {
  const home = new CliHome();
  use(home, ".pi/agent", ".codex");
  home.keep(sessionId("aaaa"), events);
  return home;
}

const TALK = [
  user("Run it"),
  call("Bash", { command: "make", timeout: 5 }),
  end("Bash", "done"),
  call("mcp tool", { n: 1 }),
  end("mcp tool", "1"),
  assistant("It ran."),
];

/** Lists the files in the agents' folders. */
function agentFiles(home: CliHome): string[] {
  const found: string[] = [];
  const look = (folder: string): void => {
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      if (isDirectory) look(join(folder, name));
      else found.push(join(folder, name));
    }
  };
  for (const { name } of Deno.readDirSync(home.path)) {
    if (name.startsWith(".")) look(join(home.path, name));
  }
  return found;
}

inHomeWithTalk.test("handover places a session, tells what goes along, and prints how to go on", async (home) => {
  const [report, dry] = await home.runInOrder([
    ["handover", "aaaa", "--to", "pi"],
    ["handover", "aaaa", "--to", "codex", "--dry-run"],
  ]);
  const [path, ...others] = agentFiles(home);
  assert.deepEqual(others, []);
  assert.equal(report?.stdout, `pi --session ${path}\n`);
  assert.equal(report?.status, 0);
  const id = /as ([-0-9a-f]{36})\n/.exec(report?.stderr ?? "")?.[1];
  assert.deepEqual(report?.stderr.split("\n").slice(0, 3), [
    `Hand over reprise:${sessionId("aaaa")} to pi:`,
    "  1 prompt and 3 answers; about 144 tokens",
    "  2 tool calls: 1 translated to calls of pi's own tools, 1 kept with the original agent's tool names",
  ]);
  assert.match(report?.stderr ?? "", new RegExp(`reprise handover --undo ${id}\n`));
  assert.match(dry?.stderr ?? "", /Nothing was written\.\n$/);
  assert.equal(dry?.stdout, "");
  const { stdout } = await home.run(["conversation", `pi:${id}`, "--format", "plain"]);
  assert.match(stdout, /"command":\s*"make"/);
});

inHomeWithTalk.test("--json gives the place, the commands and the report", async (home) => {
  const { stdout } = await home.run(["handover", "aaaa", "--to", "codex", "--json"]);
  const { id, path, prepare, command, report } = JSON.parse(stdout);
  assert.deepEqual([prepare, command], [[], ["codex", "resume", id]]);
  assert.ok(agentFiles(home).includes(path));
  assert.deepEqual(report, {
    from: `reprise:${sessionId("aaaa")}`,
    ...{ to: "codex", proven: true, prompts: 1, answers: 3 },
    calls: { mapped: 1, native: 1, told: 0, unanswered: 0, restored: 0 },
    ...{
      attached: 0,
      images: 0,
      reasoning: 0,
      left_out: {},
      notices: 0,
      cut: false,
      tokens: 145,
      window: 272_000,
    },
    ...{ secrets: {}, redacted: false, compacted: false },
  });
});

inHomeWithTalk.test("a copy with other options is another copy", async (home) => {
  const over = ["handover", "aaaa", "--to", "pi"];
  const runs = await home.runInOrder([
    [...over, "--last", "1"],
    over,
    [...over, "--redact", "--tools", "text"],
    [...over, "--last", "1"],
    [...over, "--tools", "mapped"],
  ]);
  assert.deepEqual(runs.map(({ status }) => status), [0, 0, 0, 1, 1]);
  assert.equal(agentFiles(home).length, 3);
});

inHomeWithTalk.test("hands an unchanged session over once, and undoes it", async (home) => {
  const over = ["handover", "aaaa", "--to", "pi"];
  const first = await home.run([...over, "--json"]);
  const { id, path } = JSON.parse(first.stdout);
  const again = await home.run(over);
  assert.equal(again.status, 1);
  assert.match(again.stderr, new RegExp(`pi already has an unchanged copy: pi:${id}\n`));
  assert.equal((await home.run([...over, "--again"])).status, 0);
  const text = Deno.readTextFileSync(path);
  Deno.writeTextFileSync(path, `${text}{}\n`);
  const gone_on = await home.run(["handover", "--undo", id]);
  assert.deepEqual([gone_on.status, Deno.statSync(path).isFile], [1, true]);
  assert.match(gone_on.stderr, /pi:\S+ was continued after the hand-over/);
  Deno.writeTextFileSync(path, text);
  const undone = await home.run(["handover", "--undo", id, "--json"]);
  assert.deepEqual(JSON.parse(undone.stdout), { undone: `pi:${id}` });
  assert.throws(() => Deno.statSync(path), Deno.errors.NotFound);
  assert.equal((await home.run(["handover", "--undo", id])).status, 1);
  assert.equal(agentFiles(home).length, 1);
});

inHomeWithTalk.test("a copy for the same agent gives its model the same request", async (home) => {
  use(home, ".claude");
  const rollout = join(
    home.path,
    "rollout-2026-11-21T20-00-00-01a21de5-df9e-7771-8b13-b6b9ff90ee21.jsonl",
  );
  const said = [
    "<skill>\nRULE\n</skill>",
    "# Files:\n\n## okapi\n\n## My request for Codex:\nFix it",
  ];
  const items = said.map((text) => ({
    ...{ timestamp: "2026-11-21T20:00:00.000Z", type: "response_item" },
    payload: { type: "message", role: "user", content: [{ type: "input_text", text }] },
  }));
  const head = {
    type: "session_meta",
    payload: { id: "01a21de5-df9e-7771-8b13-b6b9ff90ee21", cwd: home.work },
  };
  Deno.writeTextFileSync(
    rollout,
    [head, ...items].map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  const notices = fileURLToPath(
    new URL("../../testdata/agents/claude/notices.jsonl", import.meta.url),
  );
  for (const [path, to] of [[notices, "claude"], [rollout, "codex"]] as const) {
    const { stdout } = await home.succeed([
      "handover",
      path,
      "--to",
      to,
      "--cwd",
      home.work,
      "--json",
    ]);
    const copy = `${to}:${JSON.parse(stdout).id}`;
    const [one, other, shown] = await home.runInOrder([
      ["conversation", path, "--tools", "omit"],
      ["conversation", copy, "--tools", "omit"],
      ["show", copy],
    ]);
    assert.equal(other?.stdout, one?.stdout);
    assert.match(other?.stdout ?? "", /okapi/);
    assert.doesNotMatch(shown?.stdout ?? "", /^.*(?:RULE|okapi)$/m);
  }
});

Deno.test("secrets are counted before they are handed over, or are left out", async () => {
  await using home = homeWithTalk([user(`Use ${SECRET}`), assistant("Yes")]);
  const [plain, redacted] = await home.runInOrder([
    ["handover", "aaaa", "--to", "pi"],
    ["handover", "aaaa", "--to", "pi", "--redact", "--again"],
  ]);
  assert.match(
    plain?.stderr ?? "",
    /1 secret: 1 github-token\. pi will send the secrets to its model provider/,
  );
  assert.match(redacted?.stderr ?? "", /replaced 1 secret: 1 github-token/);
  const texts = agentFiles(home).map((path) => Deno.readTextFileSync(path));
  assert.deepEqual(texts.map((text) => text.includes(SECRET)).sort(), [false, true]);
});

inHomeWithTalk.test("refuses an impossible hand-over in one line, and leaves nothing", async (home) => {
  home.keep(sessionId("bbbb"), [user(" ")]);
  home.keep(sessionId("cccc"), [user("Hi")], { cwd: join(home.path, "gone") });
  const results = await home.runAll([
    ["handover", "aaaa", "--to", "nobody"],
    ["handover", "aaaa", "--to", "aider"],
    ["handover", "aaaa", "--to", "claude"],
    ["handover", "aaaa"],
    ["handover"],
    ["handover", "bbbb", "--to", "pi"],
    ["handover", "cccc", "--to", "pi"],
    ["handover", "aaaa", "--to", "pi", "--last", "0"],
    ["handover", "--undo", "nope"],
    ["handover", "aaaa", "--undo", "nope"],
    ["handover", "aaaa", "--to", "reprise", "--last", "2"],
    ["handover", "dddd", "--to", "pi"],
  ]);
  const said = results.map(({ status, stderr }) => [status, stderr.split("\n")[0]]);
  assert.deepEqual(said.map(([status]) => status), [2, 2, 1, 2, 2, 1, 1, 2, 1, 2, 2, 1]);
  const expected = [
    /^reprise: Cannot use "nobody" for --to <agent>\. Choices: reprise, claude, /,
    /^reprise: Cannot use "aider" for --to <agent>\. Choices: reprise, claude, /,
    /^reprise: Cannot hand over to Claude Code: Claude Code was never used .*--out .*--force/,
    /^reprise: Name the agent that receives the session: --to AGENT$/,
    /^reprise: Name the agent that receives the session: --to AGENT$/,
    /^reprise: Cannot hand over bbbb: the session has no messages$/,
    /^reprise: Cannot hand over to pi: the session's directory \(.*\) is gone; .* --cwd$/,
    /whole number above 0/,
    /^reprise: Cannot undo hand-over: no hand-over created the session "nope"/,
    /^reprise: --undo needs the id that `handover` printed\. Leave out REF: reprise handover --undo ID$/,
    /^reprise: --last cannot be used with --to reprise, which imports the whole session/,
    /^reprise: Cannot find session "dddd"/,
  ];
  for (const [index, [, line]] of said.entries()) {
    assert.match(String(line), expected[index] as RegExp);
  }
  assert.deepEqual(results.map(({ stdout }) => stdout), results.map(() => ""));
  assert.deepEqual(agentFiles(home), []);
});

Deno.test("an agent that was never used gets a file, and a hostile title none of its line", async () => {
  await using home = homeWithTalk([user("Hi \x1b[31m\u202e"), call("x\x1b[0m\n/../é", 7)]);
  const out = join(home.path, "out.jsonl");
  const { stdout, stderr } = await home.succeed([
    ...["handover", "aaaa", "--to", "claude", "--out", out, "--title", "T\x1b[31m"],
  ]);
  assert.match(stdout, /^cd .*work && claude --resume [-0-9a-f]{36}\n$/);
  assert.match(stderr, /The agent looks for the session's file at .*\.claude/);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(stdout + stderr, /\x1b/);
  const text = Deno.readTextFileSync(out);
  assert.match(text, /"name":"x__0m______"/);
  assert.match(text, /No result was recorded: the call did not finish\./);
  const taken = await home.run(["handover", "aaaa", "--to", "pi", "--out", out]);
  assert.match(taken.stderr, /Cannot write session: a file with this name already exists/);
  assert.equal(Deno.readTextFileSync(out), text);
});

inHomeWithTalk.test("P14: what other agents have stays as it is, but for a line of Codex's index of titles", async (home) => {
  use(home, ".claude/projects", ".gemini/tmp", ".qwen/projects", ".keen", ".fen", ".autohand");
  const index = join(home.path, ".codex/session_index.jsonl");
  const config = join(home.path, ".codex/config.toml");
  Deno.writeTextFileSync(index, '{"id":"1","thread_name":"Mine"}');
  Deno.writeTextFileSync(config, "x = 1\n");
  const agents = ["claude", "codex", "pi", "gemini", "qwen"];
  const untitled = await home.runInOrder(agents.map((to) => ["handover", "aaaa", "--to", to]));
  assert.deepEqual(untitled.map(({ status }) => status), agents.map(() => 0));
  assert.equal(Deno.readTextFileSync(index), '{"id":"1","thread_name":"Mine"}');
  const before = new Map(agentFiles(home).map((path) => [path, Deno.readTextFileSync(path)]));
  assert.ok(before.size >= agents.length + 2, `${before.size} files`);
  const again = ["--again", "--title", "T"];
  await home.runInOrder(agents.map((to) => ["handover", "aaaa", "--to", to, ...again]));
  const changed = [...before].filter(([path, text]) => Deno.readTextFileSync(path) !== text);
  assert.deepEqual(changed.map(([path]) => path), [index]);
  assert.match(Deno.readTextFileSync(index), /^\{"id":"1","thread_name":"Mine"\}\n\{.*"T".*\}\n$/);
  assert.equal(Deno.readTextFileSync(config), "x = 1\n");
});

Deno.test("a session with a compaction alone is handed over as its summary", async () => {
  await using home = homeWithTalk([
    { kind: "compaction_applied", payload: { status: "", summary: "All that was." } },
  ]);
  const { status, stdout } = await home.run(["handover", "aaaa", "--to", "pi", "--json"]);
  const { report, id } = JSON.parse(stdout);
  assert.deepEqual([status, report.prompts, report.compacted], [0, 1, true]);
  const { stdout: shown } = await home.run(["show", `pi:${id}`]);
  assert.match(shown, /All that was\./);
});

inHomeWithTalk.test("a session that is being written is handed over as far as it got", async (home) => {
  await using session = openLocalStore({ root: home.store }).create({ cwd: home.work });
  await session.append(user("So far"));
  const { stderr } = await home.succeed(["handover", session.id, "--to", "pi"]);
  assert.match(stderr, /may still be running, so only its content so far is handed over/);
  await session.finish();
});

inHomeWithTalk.test("Reprise itself takes a session by its import", async (home) => {
  const { stdout } = await home.run(["handover", "aaaa", "--to", "pi", "--json"]);
  const { id } = JSON.parse(stdout);
  const back = await home.run(["handover", `pi:${id}`, "--to", "reprise", "--json"]);
  const outcome = JSON.parse(back.stdout);
  assert.deepEqual(outcome.command, ["reprise", "chat", "--resume", outcome.id]);
  const { stdout: shown } = await home.run(["show", outcome.id]);
  assert.match(shown, /It ran\./);
});

Deno.test(
  needing("OpenCode's own import takes the session in, where it is there", UNIX),
  async () => {
    await using home = homeWithTalk();
    use(home, ".local/share/opencode");
    const over = ["handover", "aaaa", "--to", "opencode", "--json"];
    const without = JSON.parse((await home.run(over, { env: { PATH: "/nowhere" } })).stdout);
    assert.deepEqual(without.prepare, [["opencode", "import", without.path]]);
    const env = putProgram(
      home,
      "opencode",
      `echo "$@" > ${home.path}/told; pwd >> ${home.path}/told`,
    );
    const { stdout } = await home.run([...over, "--again"], { env });
    const { id, path, prepare, command } = JSON.parse(stdout);
    assert.deepEqual([prepare, command], [[], ["opencode", "--session", id]]);
    assert.equal(Deno.readTextFileSync(join(home.path, "told")), `import ${path}\n${home.work}\n`);
    assert.throws(() => Deno.statSync(path), Deno.errors.NotFound);
    const failing = putProgram(home, "opencode", "echo no; exit 3");
    const failed = await home.run(["handover", "aaaa", "--to", "opencode", "--again"], {
      env: failing,
    });
    assert.equal(failed.status, 1);
    assert.match(
      failed.stderr,
      /Cannot run opencode import .*: the program exited with status 3: no\n/,
    );
    assert.match(failed.stdout, /^cd .* && opencode import .* && opencode --session /);
    Deno.writeTextFileSync(join(home.path, "bin", "opencode"), "#!/nowhere\n");
    const unstarted = await home.run(["handover", "aaaa", "--to", "opencode", "--again"], {
      env: failing,
    });
    assert.equal(unstarted.status, 1);
    assert.match(unstarted.stderr, /Cannot run opencode import .*: .*opencode does not start: /);
    assert.match(unstarted.stdout, /^cd .* && opencode import .* && opencode --session /);
  },
);

// Slow: the import is a program of its own that loads the tests' store of OpenCode.
onUnix.test("--undo runs the agent's own command that removes what it took in", async () => {
  await using home = homeWithTalk();
  use(home, ".local/share/opencode");
  const data = join(home.path, ".local/share/opencode");
  const importer = fileURLToPath(new URL("_import_opencode.ts", import.meta.url));
  const deno = `'${Deno.execPath()}' run --quiet --no-lock --no-check -A '${importer}'`;
  const import_ = `${deno} "$2" '${join(data, "opencode.db")}'`;
  const told = join(home.path, "told");
  const script = `if [ "$1" = import ]; then ${import_}; else echo "$@" > '${told}'; fi`;
  const env = { ...putProgram(home, "opencode", script), DENO_DIR: Deno.env.get("DENO_DIR") ?? "" };
  const over = ["handover", "aaaa", "--to", "opencode", "--json"];
  const { id, prepare } = JSON.parse((await home.run(over, { env })).stdout);
  assert.deepEqual(prepare, []);
  const undone = await home.run(["handover", "--undo", id], { env });
  assert.deepEqual([undone.status, undone.stderr], [0, `Removed opencode:${id}\n`]);
  assert.equal(Deno.readTextFileSync(told), `session delete ${id}\n`);
});

onUnix.test("a session that Cline takes in where it lies stays there", async () => {
  await using home = homeWithTalk();
  use(home, ".cline/data");
  const env = putProgram(home, "cline", `echo "$@" > ${home.path}/told`);
  const { stdout } = await home.run(["handover", "aaaa", "--to", "cline", "--json"], { env });
  const { id, path, prepare, command } = JSON.parse(stdout);
  assert.deepEqual([prepare, command], [[], ["cline", "--id", id]]);
  assert.equal(Deno.readTextFileSync(join(home.path, "told")), "history --json --limit 1\n");
  assert.ok(Deno.statSync(path).isFile);
  const undone = await home.run(["handover", "--undo", id]);
  assert.equal(undone.status, 0, undone.stderr);
  assert.throws(() => Deno.statSync(path), Deno.errors.NotFound);
});

onUnix.test("a session goes on under the id that its agent prints as it takes it in", async () => {
  await using home = homeWithTalk();
  use(home, ".local/share/goose");
  const waiting = await home.run(["handover", "aaaa", "--to", "goose", "--json"]);
  const { prepare, command } = JSON.parse(waiting.stdout);
  assert.deepEqual([prepare[0].slice(0, 3), command], [
    ["goose", "session", "import"],
    ["goose", "session", "--resume"],
  ]);
  const env = putProgram(home, "goose", "echo 'Session imported:'; echo '20261127_3 - A title'");
  const args = ["handover", "aaaa", "--to", "goose", "--again", "--json"];
  const taken = JSON.parse((await home.run(args, { env })).stdout);
  assert.deepEqual([taken.id, taken.prepare, taken.command], [
    ...["20261127_3", []],
    ["goose", "session", "--resume", "--session-id", "20261127_3"],
  ]);
  const silent = putProgram(home, "goose", "echo done");
  const unknown = JSON.parse((await home.run(args, { env: silent })).stdout);
  assert.deepEqual([unknown.prepare, unknown.command], [[], ["goose", "session", "--resume"]]);
});

inHomeWithTalk.test("resume --in hands over and prints how to go on; again, it is the same session", async (home) => {
  const [first, again, own] = await home.runInOrder([
    ["resume", "aaaa", "--in", "pi"],
    ["resume", "aaaa", "--in", "pi", "--print"],
    ["resume", "aaaa", "--in", "reprise"],
  ]);
  const [path, ...others] = agentFiles(home);
  assert.deepEqual(others, []);
  assert.equal(first?.stdout, `pi --session ${path}\n`);
  assert.equal(again?.stdout, first?.stdout);
  assert.match(
    again?.stderr ?? "",
    /was already handed over and has not changed since. Using that copy: pi:/,
  );
  assert.match(own?.stdout ?? "", /chat --resume aaaa0000-/);
  const json = await home.run(["resume", "aaaa", "--in", "pi", "--json"]);
  assert.equal(json.status, 2);
});

inHomeWithTalk.test("without a reference, this project's latest session is handed over", async (home) => {
  const dry = await home.run(["handover", "--to", "pi", "--dry-run"]);
  assert.equal(dry.status, 0, dry.stderr);
  assert.match(dry.stderr, new RegExp(`^Hand over reprise:${sessionId("aaaa")} to pi:`, "m"));
  await using other = new CliHome();
  const none = await other.run(["handover", "--to", "pi"]);
  assert.match(none.stderr, /^reprise: Cannot find a session of .*; see: reprise list --all$/m);
  assert.equal(none.status, 1);
});

inHomeWithTalk.test("list tells what a session was handed over from, until that is taken back", async (home) => {
  const listed = async (): Promise<Record<string, unknown>[]> => {
    const { stdout } = await home.run(["list", "--agent", "pi", "--json"]);
    return jsonLines(stdout);
  };
  const { stderr } = await home.run(["handover", "aaaa", "--to", "pi"]);
  const [row] = await listed();
  assert.deepEqual(row?.imported_from, { agent: "reprise", id: sessionId("aaaa") });
  const id = /as ([-0-9a-f]{36})\n/.exec(stderr)?.[1] ?? "";
  const undone = await home.run(["handover", "--undo", id]);
  assert.equal(undone.status, 0, undone.stderr);
  assert.deepEqual(await listed(), []);
});

inHomeWithTalk.test("list works where the record of hand-overs cannot be read, and says so", async (home) => {
  await Deno.mkdir(join(home.store, "handovers.jsonl"));
  const { stdout, stderr } = await home.succeed(["list"]);
  assert.match(stdout, /^aaaa0000 /m);
  assert.match(stderr, /^reprise: .*hand-overs/m);
});
