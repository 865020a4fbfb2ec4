/** `watch`: what runs now, of real files that change and a real recording. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { limitedRollout } from "../agents/codex/_limited_rollouts.ts";
import { type CliHome, inHome, sessionId, testsAtHome } from "../_support/cli_home.ts";
import { eventually } from "../_support/eventually.ts";
import { user } from "../_support/log_bytes.ts";
import { keepClaudeSession, putProgram, putStatus } from "./_fake_agent.ts";
import { atTerminal, shellLine, Terminal } from "./_terminal.ts";
import { UNIX } from "../_support/needing.ts";

const onUnix = testsAtHome(UNIX);

const UUID = "3f2a91c0-1111-4222-8333-444455556666";

interface Told {
  ref: string;
  state: string;
  doing: string;
  cwd: string;
  usage?: { output?: number };
}

/** Adds a record to a session of Claude Code that was made just now. */
function add(
  path: string,
  uuid: string,
  parentUuid: string | null,
  message: object,
  sessionId = UUID,
): void {
  const timestamp = new Date().toISOString();
  const { role: type } = message as { role: string };
  const place = { type, uuid, parentUuid, isSidechain: false };
  const record = { ...place, sessionId, timestamp, message };
  Deno.writeTextFileSync(path, `${JSON.stringify(record)}\n`, { append: true });
}

const CALL = { type: "tool_use", id: "t1", name: "Bash", input: { command: "npm test" } };
const CALLED = {
  ...{ id: "m1", role: "assistant", model: "m", content: [CALL] },
  usage: { input_tokens: 5, output_tokens: 7 },
};

inHome.test("watch --once tells what runs now of any agent, and what each does", async (home) => {
  home.keep(sessionId("aaaa"), [user("long ended")]);
  const old = keepClaudeSession(home, "11112222-1111-4222-8333-444455556666", home.work);
  assert.equal((await home.run(["watch", "--once", "--json"])).stdout, "");
  assert.equal((await home.run(["watch", "--once"])).stderr, "No session is running\n");
  const { path, ref } = keepClaudeSession(home, UUID, home.work);
  add(path, "u2", "u1", { role: "user", content: "Run the tests" });
  add(path, "a2", "u2", CALLED);
  const recording = home.talk(["record"]);
  await recording.write('{"kind":"user_message","payload":{"content":"Asked here"}}\n');
  await recording.line();
  const { status, stdout, stderr } = await home.run(["watch", "--once", "--json"]);
  assert.deepEqual([status, stderr], [0, ""]);
  const told = jsonLines<Told & Record<string, unknown>>(stdout);
  assert.deepEqual(told.map(({ state, doing, cwd }) => [state, doing, cwd]).toSorted(), [
    ["working", "answering: Asked here", home.work],
    ["working", "running Bash npm test", home.work],
  ]);
  assert.equal(told.find((one) => one.ref === ref)?.usage?.output, 7);
  assert.ok(told.every((one) => one.ref !== old.ref));
  const text = await home.run(["watch", "--once", "--agent", "claude"]);
  assert.match(text.stdout, new RegExp(`^${ref}\t.*work\trunning Bash npm test\t12\t`));
  await recording.endInput();
  await recording.end();
});

inHome.test("watch says first which sessions wait for the user, and for what", async (home) => {
  const asking = "5e6f7a80-1111-4222-8333-444455556666";
  const { path, ref } = keepClaudeSession(home, UUID, home.work);
  add(path, "u2", "u1", { role: "user", content: "Publish it" });
  const { path: other } = keepClaudeSession(home, asking, home.work);
  const questions = [{ question: "Which port?", header: "Port", options: [] }];
  const ask = { type: "tool_use", id: "t2", name: "AskUserQuestion", input: { questions } };
  add(other, "a2", "u1", { ...CALLED, content: [ask] }, asking);
  putStatus(home, UUID, { status: "busy" });
  putStatus(home, asking, { status: "waiting", waitingFor: "input needed" });
  const look = async (...args: string[]): Promise<string[]> => {
    const { stdout, status } = await home.run(["watch", "--once", "--json", ...args]);
    assert.equal(status, 0);
    return jsonLines<Told>(stdout).map(({ state, doing }) => `${state}: ${doing}`);
  };
  const asks = "waits: asks: Which port?";
  assert.deepEqual(await look(), [asks, "working: answering: Publish it"]);
  assert.deepEqual(await look("--waiting"), [asks]);
  add(path, "a2", "u2", CALLED);
  putStatus(home, UUID, { status: "waiting", waitingFor: "permission prompt" });
  putStatus(home, asking, { status: "idle" });
  assert.deepEqual(await look("--waiting"), ["waits: waits for permission: Bash npm test"]);
  const [first] = jsonLines((await home.run(["watch", "--once", "--json"])).stdout);
  assert.deepEqual(first?.waits_for, { kind: "permission", text: "", certain: true });
  const ended = await home.run(["watch", "--until", "waiting"]);
  assert.equal(ended.status, 0);
  assert.match(ended.stdout, new RegExp(`^${ref}\t.*\twaits for permission: Bash npm test\t`));
});

inHome.test("watch tells which file two sessions changed within the hour, and none of another work tree", async (home) => {
  const ids = ["aaaa2222", "bbbb2222", "cccc2222", "dddd2222"].map((id) =>
    `${id}-1111-4222-8333-444455556666`
  );
  const copy = join(home.path, "copy");
  Deno.mkdirSync(copy);
  const [one = "", other = "", elsewhere = "", late = ""] = ids;
  const change = (id: string, file_path: string, cwd = home.work, status = "busy"): void => {
    const { path } = keepClaudeSession(home, id, cwd);
    const call = { type: "tool_use", id: "t1", name: "Write", input: { file_path, content: "1" } };
    add(path, "a2", "u1", { ...CALLED, content: [call] }, id);
    const result = { type: "tool_result", tool_use_id: "t1", content: "Written" };
    add(path, "u3", "a2", { role: "user", content: [result] }, id);
    putStatus(home, id, { status });
  };
  change(one, join(home.work, "a.ts"));
  change(elsewhere, join(copy, "a.ts"), copy);
  change(late, join(home.work, "b.ts"));
  const look = async (...args: string[]): Promise<string> =>
    (await home.run(["watch", "--once", ...args])).stdout;
  assert.doesNotMatch(await look(), /changed by/);
  // The second one names the file as it is called below its directory.
  change(other, "a.ts");
  assert.match(
    await look(),
    /^Sessions (?:aaaa2222 and bbbb2222|bbbb2222 and aaaa2222) changed ~\/work\/a\.ts less than an hour apart$/m,
  );
  const told = jsonLines<{ path?: string; refs?: string[] }>(await look("--json"))
    .filter(({ path }) => path !== undefined);
  assert.deepEqual(told.map(({ path, refs }) => [path, refs?.toSorted()]), [
    [join(home.work, "a.ts"), [`claude:${one}`, `claude:${other}`]],
  ]);
});

onUnix.test("watch --notify runs a program for a session that begins to wait, without a shell", async (home) => {
  const told = join(home.path, "told");
  const script =
    `for word in "$@"; do echo "$word"; done > '${told}.new'; mv '${told}.new' '${told}'`;
  const env = putProgram(home, "tell", script);
  const { path } = keepClaudeSession(home, UUID, home.work);
  const content = [{ ...CALL, input: { command: "--rm $(touch x)" } }];
  add(path, "a2", "u1", { ...CALLED, content });
  putStatus(home, UUID, { status: "waiting", waitingFor: "permission prompt" });
  const missing = await home.run(["watch", "--notify", "no-such-program"]);
  assert.equal(missing.status, 2);
  assert.match(missing.stderr, /Cannot use --notify: there is no program no-such-program on PATH/);
  await home.run(["watch", "--until", "waiting", "--notify", "tell -u 'a b'"], { env });
  assert.equal(
    await eventually(() => existsSync(told) ? Deno.readTextFileSync(told) : undefined),
    "-u\na b\n--\nclaude in ~/work: waits for permission: Bash --rm $(touch x)\n",
  );
});

// Slow: watch looks every second and a half, and three looks are compared.
onUnix.test("watch prints a line a change, also of a client that was killed, until ^C", async (home) => {
  const { path, ref } = keepClaudeSession(home, UUID, home.work);
  add(path, "u2", "u1", { role: "user", content: "Run the tests" });
  const id = "5e6f7a80-1111-4222-8333-444455556666";
  const killed = keepClaudeSession(home, id, home.work);
  add(killed.path, "k2", "u1", { role: "user", content: "Wait" }, id);
  const client = new Deno.Command("sleep", { args: ["60"], stdin: "null" }).spawn();
  const folder = join(home.path, ".claude", "sessions");
  Deno.mkdirSync(folder);
  const { pid } = client;
  Deno.writeTextFileSync(join(folder, `${pid}.json`), JSON.stringify({ pid, sessionId: id }));
  const watching = home.talk(["watch", "--json"]);
  const first = [await watching.line(), await watching.line()]
    .map((line) => JSON.parse(line ?? "") as Told);
  const told = first.map((one) => `${one.ref} ${one.state}`);
  assert.deepEqual(told.sort(), [`${ref} working`, `${killed.ref} working`]);
  add(path, "a2", "u2", CALLED);
  client.kill("SIGKILL");
  await client.status;
  assert.match(await watching.until("running Bash npm test"), /"turn":"running"/);
  assert.equal(await watching.line(), JSON.stringify({ ref: killed.ref, state: "ended" }));
  await Deno.remove(path);
  assert.match(await watching.until("ended"), new RegExp(`"ref":"${ref}"`));
  watching.kill("SIGINT");
  assert.equal((await watching.end()).status, 130);
});

const TABLE = /id +agent +directory +since +tokens +cost +now/;

// Slow: watch looks every second and a half.
atTerminal.test("on a terminal watch keeps a table up to date; r reads a session, q comes back and ends", async (home) => {
  const script = `${shellLine(["watch"])}; echo "status=$?"`;
  await using terminal = await Terminal.open(home, script, { columns: 110 });
  await terminal.until(/No session is running/);
  const { path } = keepClaudeSession(home, UUID, home.work);
  add(path, "u2", "u1", { role: "user", content: "Run the tests" });
  const screen = await terminal.until(/> 3f2a91c0 +claude .*answering: Run the tests/);
  assert.match(screen, TABLE);
  await terminal.press("r");
  const read = await terminal.until(/Run the tests[^]*\? keys/, "visible");
  assert.match(read, /^Asked of Claude · Claude Code · /);
  add(path, "a2", "u2", CALLED);
  await terminal.press("q");
  // What changed meanwhile is there, and what changes now comes.
  assert.match(await terminal.until(/running Bash npm test/, "visible"), TABLE);
  add(path, "u3", "a2", { role: "user", content: "And now lint" });
  await terminal.until(/answering: And now lint/, "visible");
  await terminal.press("q");
  await terminal.until(/status=0$/m);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("^C ends watch from its table and from a session, with the status of what is interrupted", async (home) => {
  const { path } = keepClaudeSession(home, UUID, home.work);
  add(path, "u2", "u1", { role: "user", content: "Run the tests" });
  const script = `trap : INT; ${shellLine(["watch"])}; echo "status=$?"`;
  for (const reads of [false, true]) {
    await using terminal = await Terminal.open(home, script, { columns: 110 });
    await terminal.until(TABLE);
    if (reads) {
      await terminal.press("r");
      await terminal.until(/\? keys/, "visible");
    }
    await terminal.press("C-c");
    await terminal.until(/^status=130$/m);
  }
});

/** Keeps a thread of Codex whose limits were recorded just now. */
function keepLimited(home: CliHome, used_percent: number): void {
  const id = "0199bbbb-0000-7000-8000-000000000001";
  const folder = join(home.path, ".codex", "sessions", "2026", "11", "22");
  Deno.mkdirSync(folder, { recursive: true });
  const resets_at = Math.round(Date.now() / 1000) + 9000;
  const primary = { used_percent, window_minutes: 300, resets_at };
  const path = join(folder, `rollout-2026-11-22T11-00-00-${id}.jsonl`);
  Deno.writeTextFileSync(path, limitedRollout(id, home.work, [{ primary }], Date.now()));
}

inHome.test("watch tells what plans have left, and not where it waits for sessions", async (home) => {
  keepLimited(home, 62);
  const { stderr } = await home.succeed(["watch", "--once"]);
  assert.match(
    stderr,
    /^OpenAI Codex plan: 5 h 62 %, resets \S+( \S+)?; at this pace, the limit is used up at /,
  );
  const { stdout } = await home.succeed(["watch", "--once", "--json"]);
  const plans = jsonLines<{ plan?: string; used_percent: number }>(stdout)
    .filter(({ plan }) => plan !== undefined);
  assert.deepEqual(plans.map(({ plan, used_percent }) => [plan, used_percent]), [["codex", 62]]);
  const waiting = await home.succeed(["watch", "--once", "--json", "--waiting"]);
  assert.doesNotMatch(waiting.stdout, /plan/);
});

// Slow: starts the program in a terminal.
atTerminal.test("the screen of watch ends with what plans have left", async (home) => {
  keepLimited(home, 41);
  await using terminal = await Terminal.open(home, shellLine(["watch"]), { columns: 80 });
  await terminal.until(/OpenAI Codex plan: 5 h 41 %, resets /);
  await terminal.press("q");
});

// Slow: a tmux within the terminal is opened and left.
atTerminal.test("Enter goes to the tmux pane in which a session's agent runs; a bell rings where one waits", async (home) => {
  const inner = join(home.path, "inner");
  Deno.mkdirSync(inner);
  const env = putProgram(home, "tmux", `TMUX_TMPDIR='${inner}' exec "${await tmuxPath()}" "$@"`);
  const tmux = join(home.path, "bin", "tmux");
  const agent = "echo here is the agent; exec sleep 600";
  const outside = { env: { ...env, TMUX: "" } };
  const run = async (...args: string[]): Promise<string> =>
    new TextDecoder().decode((await new Deno.Command(tmux, { args, ...outside }).output()).stdout);
  await run("-f", "/dev/null", "new-session", "-d", "-s", "work", `sh -c '${agent}'`);
  try {
    const pid = Number(await run("list-panes", "-a", "-F", "#{pane_pid}"));
    const { path } = keepClaudeSession(home, UUID, home.work);
    add(path, "u2", "u1", { role: "user", content: "Run the tests" });
    putStatus(home, UUID, { pid, status: "busy" });
    const other = "5e6f7a80-1111-4222-8333-444455556666";
    add(keepClaudeSession(home, other, home.work).path, "u2", "u1", {
      role: "user",
      content: "Wait",
    }, other);
    putStatus(home, other, { status: "idle" });
    await home.run(["config", "set", "watch.bell", "true"]);
    await using terminal = await Terminal.open(home, shellLine(["watch"]), { columns: 80, env });
    await terminal.until(/answering: Run the tests[^]*Enter go to its terminal · r read/);
    await terminal.press("Enter");
    await terminal.until(/here is the agent/, "visible");
    await terminal.press("C-b", "d");
    await terminal.until(/answering: Run the tests/, "visible");
    // A process without a pane is named.
    await terminal.press("Down", "Enter");
    await terminal.until(new RegExp(`Runs as process ${Deno.pid}.* in ~/work`), "visible");
    assert.ok(!terminal.raw().includes("\x07"));
    putStatus(home, other, { status: "waiting", waitingFor: "permission prompt" });
    await terminal.rawWith("\x07");
  } finally {
    await run("kill-server");
  }
});

async function tmuxPath(): Promise<string> {
  const { stdout } = await new Deno.Command("sh", { args: ["-c", "command -v tmux"] }).output();
  return new TextDecoder().decode(stdout).trim();
}
