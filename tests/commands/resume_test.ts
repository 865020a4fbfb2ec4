import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, logOf, user } from "../_support/log_bytes.ts";
import { bootTime } from "../../lib/core/platform/process_state.ts";
import { keepClaudeSession, putProgram, putStatus, TELLING } from "./_fake_agent.ts";
import { keepPiSession } from "./_pi_session.ts";
import { needing, UNIX } from "../_support/needing.ts";

const UUID = "3f2a91c0-1111-4222-8333-444455556666";

/** Runs a line in a shell; returns its output. */
async function inShell(line: string, env: Record<string, string>): Promise<string> {
  const { stdout } = await new Deno.Command("bash", { args: ["-c", line], env }).output();
  return new TextDecoder().decode(stdout);
}

inHome.test("without a terminal, resume prints the command line, with the directory where it matters", async (home) => {
  const claude = keepClaudeSession(home, UUID, home.work);
  const pi = keepPiSession(home);
  const ours = home.keep(sessionId("aaaa"), [user("hi")]);
  const env = putProgram(home, "claude", TELLING);
  putProgram(home, "pi", TELLING);
  const results = await home.runAll([
    ["resume", claude.ref],
    ["resume", claude.ref, "--print"],
    ["resume", pi.ref],
    ["resume", "aaaa"],
  ], { env });
  assert.deepEqual(
    results.map(({ status, stderr }) => [status, stderr]),
    results.map(() => [0, ""]),
  );
  assert.deepEqual(results.map(({ stdout }) => stdout), [
    `cd ${home.work} && claude --resume ${UUID}\n`,
    `cd ${home.work} && claude --resume ${UUID}\n`,
    `pi --session ${pi.path}\n`,
    `cd ${home.work} && reprise chat --resume ${ours.id}\n`,
  ]);
});

inHome.test("the sessions that a restart cut off are listed, and a line resumes each", async (home) => {
  const HOUR = 3_600_000;
  /** Keeps a session whose last record was written at a time before the machine's start. */
  const keep = (prefix: string, hours: number, said: object): string => {
    const id = sessionId(prefix);
    const { path } = keepClaudeSession(home, id, home.work);
    const timestamp = new Date(bootTime() - hours * HOUR).toISOString();
    const place = { uuid: "u2", parentUuid: "u1", isSidechain: false, sessionId: id, timestamp };
    Deno.writeTextFileSync(path, `${JSON.stringify({ ...place, ...said })}\n`, { append: true });
    return id;
  };
  const asked = { type: "user", message: { role: "user", content: "Do it" } };
  const content = [{ type: "text", text: "Done" }];
  const answer = { id: "m", role: "assistant", model: "m", stop_reason: "end_turn", content };
  const cut = keep("aaaa", 1, asked);
  const before = keep("bbbb", 72, asked);
  keep("cccc", 1, { type: "assistant", message: answer });
  const runs = keep("dddd", 2, asked);
  putStatus(home, runs, { status: "busy" });
  const refs = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await home.run(["list", "--interrupted", "--json", ...args]);
    return jsonLines<{ session_id: string }>(stdout).map(({ session_id }) => session_id);
  };
  assert.deepEqual(await refs(), [cut, before]);
  assert.deepEqual(await refs("--since", "boot"), [cut]);
  const env = putProgram(home, "claude", TELLING);
  const line = (id: string): string => `cd ${home.work} && claude --resume ${id}\n`;
  const words = ["resume", "--all-interrupted", "--print"];
  const [now, all, none, one, elsewhere] = await home.runAll([
    words,
    [...words, "--since", "9d"],
    [...words, "--since", "1m"],
    ["resume", "--all-interrupted"],
    ["resume", "--since", "1d"],
  ], { env });
  assert.deepEqual([now?.stdout, now?.stderr, now?.status], [line(cut), "", 0]);
  assert.equal(all?.stdout, line(cut) + line(before));
  assert.deepEqual([none?.stdout, none?.stderr], ["", "No session was interrupted\n"]);
  assert.match(one?.stderr ?? "", /--all-interrupted starts no agent.* Add --print/);
  assert.match(elsewhere?.stderr ?? "", /--since needs --all-interrupted/);
});

Deno.test(
  needing("the line that resume prints does in a shell what resume does, in any directory", UNIX),
  async () => {
    await using home = new CliHome();
    const env = putProgram(home, "claude", TELLING);
    for (
      const name of [
        "with spaces",
        "学校 プロジェクト",
        'it\'s "$HOME" `id` \\',
        "two\nlines\x1b[31m\u202e\u200b\ufeff\u00a0",
      ]
    ) {
      const cwd = join(home.work, name);
      await Deno.mkdir(cwd);
      const { ref } = keepClaudeSession(home, UUID, cwd);
      const { stdout } = await home.succeed(["resume", ref], { env, cwd });
      assert.equal(
        await inShell(stdout, env),
        `in=${cwd}\n${cwd}\n<--resume>\n<${UUID}>\n`,
        JSON.stringify(name),
      );
      await Deno.remove(join(home.path, ".claude"), { recursive: true });
    }
  },
);

inHome.test("without a reference, resume takes the project's latest, whosever it is", async (home) => {
  const none = await home.run(["resume"]);
  assert.deepEqual([none.status, none.stdout], [1, ""]);
  assert.match(none.stderr, /^reprise: Cannot find a session of .*work; see: reprise list --all/);
  home.keep(sessionId("cccc"), [user("elsewhere")], { cwd: join(home.path, "other") });
  // Nobody wants the agent of another project to start.
  assert.equal((await home.run(["resume"])).status, 1);
  home.keep(sessionId("aaaa"), [user("old")]);
  home.keep(sessionId("bbbb"), [user("latest")]);
  home.keep(sessionId("dddd"), [{ kind: "session_archived", payload: { archived: true } }]);
  assert.match((await home.run(["resume"])).stdout, /chat --resume bbbb0000-/);
  const { path } = keepPiSession(home);
  const record = { type: "message", id: "z", parentId: "a1", timestamp: "2027-01-01T00:00:00Z" };
  const message = { role: "user", content: "later" };
  await Deno.writeTextFile(path, `${JSON.stringify({ ...record, message })}\n`, { append: true });
  const latest = await home.run(["resume"]);
  assert.match(latest.stdout, /^pi --session /);
  assert.match(latest.stderr, /^Latest session: pi:\S+ {2}2027-01-01 00:00 {2}\S/);
  const ours = await home.run(["resume", "--agent", "reprise"]);
  assert.match(ours.stdout, /chat --resume bbbb0000-/);
  assert.match(ours.stderr, /^Latest session: bbbb0000-\S+ {2}2026-11-21 20:21 {2}latest$/m);
  assert.match((await home.run(["resume", "--agent", "codex"])).stderr, /of .*work by codex; see/);
  const both = await home.run(["resume", "aaaa", "--agent", "pi"]);
  assert.deepEqual([both.status, /Give either REF/.test(both.stderr)], [2, true]);
});

inHome.test("resume --json is one object with summary, conversation and command", async (home) => {
  const kept = home.keep(sessionId("aaaa"), [user("hi"), assistant("there")]);
  const { status, stdout, stderr } = await home.run(["resume", "aaaa", "--json"]);
  assert.deepEqual([status, stderr], [0, ""]);
  const [listed] = jsonLines((await home.run(["list", "--json"])).stdout);
  assert.deepEqual(jsonLines(stdout), [{
    summary: listed,
    conversation: [{ role: "user", content: "hi" }, { role: "assistant", content: "there" }],
    command: {
      argv: ["reprise", "chat", "--resume", kept.id],
      directory: home.work,
      line: `cd ${home.work} && reprise chat --resume ${kept.id}`,
    },
  }]);
  assert.equal(listed?.ref, kept.id);
});

inHome.test("resume --json of a session that said nothing has an empty conversation", async (home) => {
  home.keep(sessionId("aaaa"), []);
  const { stdout } = await home.succeed(["resume", "aaaa", "--json"]);
  assert.deepEqual(jsonLines(stdout).map(({ conversation }) => conversation), [[]]);
});

inHome.test("resume of a log by its path continues it by that path", async (home) => {
  const kept = home.keep(sessionId("aaaa"), [user("hi")]);
  const bare = join(home.work, "bare.jsonl");
  await Deno.writeFile(bare, logOf([user("hi")]));
  const results = await home.runAll([
    ["resume", kept.path, "--json"],
    ["resume", kept.directory, "--json"],
    ["resume", "./bare.jsonl", "--json"],
  ]);
  const rows = results.map(({ stdout }) =>
    jsonLines<{ summary: { ref: string }; command: { argv: string[] } }>(stdout)[0]
  );
  assert.deepEqual(rows.map((row) => row?.summary.ref), [kept.id, kept.id, bare]);
  assert.deepEqual(rows.map((row) => row?.command.argv.at(-1)), [kept.id, kept.id, bare]);
});

inHome.test("a line is printed although its program or its directory is not there, and stderr says so", async (home) => {
  const gone = join(home.path, "gone");
  const claude = keepClaudeSession(home, UUID, gone);
  const pi = keepPiSession(home);
  const env = { PATH: join(home.path, "nowhere") };
  const command = Deno.env.get("REPRISE_BIN") === undefined ? { PATH: env.PATH } : env;
  const [moved, missing] = await home.runAll([["resume", claude.ref], ["resume", pi.ref]], {
    env: command,
  });
  assert.deepEqual([moved?.status, missing?.status], [0, 0]);
  assert.equal(moved?.stdout, `cd ${gone} && claude --resume ${UUID}\n`);
  assert.match(
    moved?.stderr ?? "",
    /^reprise: Cannot resume claude:\S+ in Claude Code: the session's directory is gone: .*gone\nIf it moved: reprise relink .*gone NEW\nTo continue in Reprise: reprise chat --resume claude:\S+ \(continues in a copy\)\nIn another agent: reprise handover claude:\S+ --to AGENT --cwd DIR\n$/,
  );
  assert.match(
    missing?.stderr ?? "",
    /^reprise: Cannot resume pi:\S+ in pi: there is no program pi on PATH\nTo continue in Reprise: reprise chat --resume pi:1111aaaa \(continues in a copy\)\nIn another agent: reprise handover pi:1111aaaa --to AGENT\n$/,
  );
});

inHome.test("an id that has not the form of its agent's ids is refused, and nothing is printed", async (home) => {
  const env = putProgram(home, "claude", TELLING);
  const paths = ["latest", "--help", "-p", "a b", "$(id)", "..%2f", "1"].map((id) =>
    keepClaudeSession(home, id, home.work).path
  );
  const results = await home.runAll(paths.map((path) => ["resume", path]), { env });
  for (const { status, stdout, stderr } of results) {
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(stderr, /Cannot resume session in Claude Code: ".*" is not a valid session id/);
  }
  const [json] = await home.runAll([["resume", paths[0] ?? "", "--json"]], { env });
  assert.equal(json?.status, 0);
  assert.equal(JSON.parse(json?.stdout ?? "").command, undefined);
});

inHome.test("refuses sessions that their agent would not find: a file elsewhere, a thread, an agent without a command", async (home) => {
  const { path } = keepClaudeSession(home, UUID, home.work);
  const copy = join(home.work, `${UUID}.jsonl`);
  await Deno.rename(path, copy);
  const elsewhere = await home.run(["resume", copy]);
  assert.deepEqual([elsewhere.status, elsewhere.stdout], [1, ""]);
  assert.match(
    elsewhere.stderr,
    /in Claude Code: the agent does not list this file\nTo continue in Reprise: reprise chat --resume \/.*jsonl /,
  );
  home.keep(sessionId("aaaa"), [user("hi")]);
  const thread = await home.run(["resume", "aaaa~main"]);
  assert.equal(thread.status, 1);
  assert.match(thread.stderr, /only the whole session, .+; leave out ~THREAD/);
});
