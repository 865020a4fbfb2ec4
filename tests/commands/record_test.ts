import assert from "node:assert/strict";
import { join } from "node:path";
import type { SessionClosedPayload } from "../../lib/event/payload.ts";
import { cliCommand, cliEnvironment, type CliResult, jsonLines } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { runTable } from "./_in_process.ts";

const unix = Deno.build.os !== "windows";

function line(kind: string, payload: unknown, more: object = {}): string {
  return JSON.stringify({ kind, payload, ...more }) + "\n";
}

function said(content: string): string {
  return line("user_message", { content });
}

interface Logged {
  seq: number;
  kind: string;
  time: string;
  turn_id?: string;
  payload: Record<string, unknown>;
}

/** The events of the one session in the store. */
async function recorded(home: CliHome): Promise<Logged[]> {
  const [row] = jsonLines((await home.run(["list", "--all", "--json"])).stdout);
  return jsonLines<Logged>((await home.run(["show", `${row?.ref}`, "--events"])).stdout);
}

function kinds(events: readonly Logged[]): string[] {
  return events.map(({ kind }) => kind);
}

Deno.test("record answers each line in order, once the event is kept, and closes as completed", async () => {
  await using home = new CliHome();
  const stdin = line("session_renamed", { title: "Early" }) +
    line("user_message", { content: "hi" }, { turn_id: "t1", time: "2026-01-02T03:04:05.678Z" }) +
    line("tool_start", { call_id: "c", name: "read", input: {} });
  const { status, stdout, stderr } = await home.run(["record"], { stdin });
  assert.deepEqual([status, stderr], [0, ""]);
  const [held, synced, written, ...none] = jsonLines(stdout);
  const { session_id } = synced ?? {};
  assert.match(
    `${session_id}`,
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  assert.deepEqual(held, { session_id, state: "held", input_line: 1 });
  assert.deepEqual(synced, { session_id, seq: 3, state: "synced", input_line: 2 });
  assert.deepEqual(written, { session_id, seq: 4, state: "written", input_line: 3 });
  assert.deepEqual(none, []);
  const events = await recorded(home);
  assert.deepEqual(kinds(events), [
    ...["session_started", "session_renamed", "user_message", "tool_start"],
    ...["session_checkpoint", "session_closed"],
  ]);
  assert.deepEqual([events[2]?.time, events[2]?.turn_id], ["2026-01-02T03:04:05.678Z", "t1"]);
  assert.deepEqual(events.at(-1)?.payload, { status: "completed" });
  assert.equal((await home.run(["verify", `${session_id}`])).status, 0);
});

Deno.test("record without a real event leaves nothing behind", async () => {
  await using home = new CliHome();
  for (const stdin of ["", "\n\n", line("session_renamed", { title: "T" })]) {
    const { status, stderr } = await home.run(["record"], { stdin });
    assert.deepEqual([status, stderr], [0, ""]);
  }
  await assert.rejects(Deno.stat(home.store), Deno.errors.NotFound);
});

Deno.test("record refuses a line that is no event, says why, and goes on", async () => {
  await using home = new CliHome();
  const cases: [string, RegExp][] = [
    ["nonsense\n", /no JSON/],
    ["[1]\n", /no object/],
    ["null\n", /no object/],
    ["{}\n", /no kind/],
    ['{"kind":5,"payload":{}}\n', /no kind 5/],
    ['{"kind":"tostring","payload":{}}\n', /no kind "tostring"/],
    ['{"kind":"toString","payload":{}}\n', /no kind "toString"/],
    [line("user_message", { content: "x" }, { seq: 3 }), /seq is given by the log/],
    [line("user_message", { content: "x" }, { v: 1 }), /v is given by the log/],
    [line("user_message", { content: "x" }, { crc: "00000000" }), /crc is given by the log/],
    [line("user_message", { content: "x" }, { colour: "red" }), /no field colour/],
    ['{"kind":"user_message","payload":{"content":"x"},"__proto__":1}\n', /no field __proto__/],
    [line("user_message", {}), /content/],
    [line("user_message", { content: 5 }), /content/],
    ['{"kind":"user_message"}\n', /payload/],
    [line("tool_end", { call_id: "c", name: "n", status: "fine" }), /status/],
    [line("user_message", { content: "x" }, { time: "yesterday" }), /time is not ISO 8601/],
    [line("user_message", { content: "x" }, { time: 5 }), /time/],
    [line("user_message", { content: "x" }, { turn_id: 5 }), /turn_id/],
    [line("session_started", { session_id: "x", created_at: "", cwd: "/" }), /has begun/],
    [
      `{"kind":"extension","payload":{"agent":"a","type":"t","data":${"[".repeat(6e3)}${
        "]".repeat(6e3)
      }}}\n`,
      /nests/,
    ],
    [`${"[".repeat(1e6)}\n`, /no JSON/],
  ];
  const stdin = said("first") + cases.map(([text]) => text).join("") + said("last");
  const { status, stdout, stderr } = await home.run(["record"], { stdin });
  assert.deepEqual([status, stderr], [1, ""]);
  const answers = jsonLines<{ seq?: number; error?: Record<string, string>; input_line: number }>(
    stdout,
  );
  assert.deepEqual(answers.map(({ input_line }) => input_line), answers.map((_, at) => at + 1));
  const [first, ...rest] = answers;
  const last = rest.pop();
  assert.deepEqual([first?.seq, last?.seq], [2, 3]);
  assert.equal(rest.length, cases.length);
  for (const [index, [text, message]] of cases.entries()) {
    const { error } = rest[index] ?? {};
    assert.equal(error?.code, "invalid-event", text.slice(0, 80));
    assert.match(error?.message ?? "", message);
    assert.deepEqual(Object.keys(rest[index] ?? {}), ["error", "input_line"]);
  }
});

Deno.test("record passes over blank lines, a BOM and CR, and counts every line", async () => {
  await using home = new CliHome();
  const stdin = "\ufeff" + said("one").replace("\n", "\r\n") + "\n  \n" + said("two").trimEnd();
  const { status, stdout } = await home.run(["record"], { stdin });
  assert.equal(status, 0);
  const answers = jsonLines(stdout).map(({ seq, input_line }) => [seq, input_line]);
  assert.deepEqual(answers, [[2, 1], [3, 4]]);
});

Deno.test("record flushes an answer before it waits for the next line", async () => {
  await using home = new CliHome();
  const recording = home.start(["record"]);
  for (let at = 0; at < 5; at++) {
    await recording.write(said(`message ${at}`));
    const { seq, state, input_line } = JSON.parse(await recording.line() ?? "{}");
    assert.deepEqual([seq, state, input_line], [at + 2, "synced", at + 1]);
    if (at > 0) continue;
    const { stdout } = await home.run(["list"]);
    assert.match(stdout, /message 0/);
  }
  await recording.endInput();
  assert.deepEqual(await recording.end(), { status: 0, stdout: "", stderr: "" });
});

Deno.test("300 lines at once are acknowledged in order, and kept in order", async () => {
  await using home = new CliHome();
  const texts = Array.from({ length: 300 }, (_, at) => `message ${at}`);
  const { status, stdout } = await home.run(["record"], { stdin: texts.map(said).join("") });
  assert.equal(status, 0);
  assert.deepEqual(
    jsonLines(stdout).map(({ seq, state, input_line }) => [seq, state, input_line]),
    texts.map((_, at) => [at + 2, "synced", at + 1]),
  );
  const events = await recorded(home);
  assert.deepEqual(
    events.filter(({ kind }) => kind === "user_message").map(({ payload }) => payload.content),
    texts,
  );
});

Deno.test("session_closed in the input stands, and is not doubled", async () => {
  await using home = new CliHome();
  const outcome = { status: "failed", exit_code: 3, summary: "gave up" };
  await home.run(["record"], { stdin: said("hi") + line("session_closed", outcome) });
  const events = await recorded(home);
  assert.deepEqual(kinds(events), ["session_started", "user_message", "session_closed"]);
  assert.deepEqual(events.at(-1)?.payload, outcome);
});

Deno.test("a session that goes on after session_closed is closed again at the end of input", async () => {
  await using home = new CliHome();
  const stdin = said("hi") + line("session_closed", { status: "failed" }) + said("and") + "oops\n";
  await home.run(["record"], { stdin });
  const events = await recorded(home);
  assert.deepEqual(kinds(events).slice(-3), [
    "user_message",
    "session_checkpoint",
    "session_closed",
  ]);
  assert.deepEqual(events.at(-1)?.payload, { status: "completed" });
});

Deno.test({
  name: "SIGTERM and SIGINT close the session as failed, with 143 and 130, though input is open",
  ignore: !unix,
  async fn(): Promise<void> {
    const cases: [Deno.Signal, number][] = [["SIGTERM", 143], ["SIGINT", 130]];
    for (const [signal, status] of cases) {
      await using home = new CliHome();
      const recording = home.start(["record"]);
      await recording.write(said("hi"));
      await recording.line();
      await recording.write('{"kind":"user_mess');
      recording.kill(signal);
      const result: CliResult = await recording.end();
      assert.deepEqual(result, { status, stdout: "", stderr: "" });
      const outcome: SessionClosedPayload = { status: "failed", exit_code: status };
      assert.deepEqual((await recorded(home)).at(-1)?.payload, outcome);
    }
  },
});

Deno.test({
  name: "kill -9 leaves an interrupted session that can be gone on with",
  ignore: !unix,
  async fn(): Promise<void> {
    await using home = new CliHome();
    const recording = home.start(["record"]);
    await recording.write(said("hi"));
    const { session_id = "" } = JSON.parse(await recording.line() ?? "{}");
    recording.kill("SIGKILL");
    assert.equal((await recording.end()).status, 137);
    assert.match((await home.run(["list"])).stdout, /interrupted/);
    const resumed = await home.run(["record", "--resume", session_id], { stdin: said("again") });
    assert.equal(jsonLines(resumed.stdout)[0]?.seq, 3);
    assert.match((await home.run(["list"])).stdout, /completed/);
  },
});

Deno.test("record --resume goes on with a session, under its number, title and directory", async () => {
  await using home = new CliHome();
  const kept = home.keep(sessionId("aaaa"), [user("hi")], { cwd: `${home.path}/elsewhere` });
  const args = ["record", "--resume", "aaaa", "--title", "Second half"];
  const { status, stdout } = await home.run(args, { stdin: said("again") });
  assert.equal(status, 0);
  assert.deepEqual(jsonLines(stdout), [
    { session_id: kept.id, seq: 4, state: "synced", input_line: 1 },
  ]);
  const [row] = jsonLines((await home.run(["list", "--all", "--json"])).stdout);
  assert.deepEqual([row?.title, row?.cwd], ["Second half", `${home.path}/elsewhere`]);
});

Deno.test("one writer a session: the second is told who writes it, and nothing is lost", async () => {
  await using home = new CliHome();
  const recording = home.start(["record"]);
  await recording.write(said("hi"));
  const { session_id = "" } = JSON.parse(await recording.line() ?? "{}");
  const second = await home.run(["record", "--resume", session_id], { stdin: said("me too") });
  assert.deepEqual([second.status, second.stdout], [1, ""]);
  assert.match(second.stderr, /^reprise: Cannot open session to write: process \d+ on .* since /);
  await recording.write(said("still here"));
  assert.equal(JSON.parse(await recording.line() ?? "{}").seq, 3);
  await recording.endInput();
  assert.equal((await recording.end()).status, 0);
});

Deno.test("record --resume refuses what is no session of ours", async () => {
  await using home = new CliHome();
  const kept = home.keep(sessionId("aaaa"), [user("hi")]);
  const refs = ["zzzz", "aaa", "aaaa#2", kept.path, "claude:1234", ""];
  const results = await runTable(home, refs.map((ref) => ["record", "--resume", ref]));
  for (const { status, stdout, stderr } of results) {
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(stderr, /^reprise: Cannot [^\n]*\n$/);
  }
});

Deno.test("what the options say of a session is in its first event", async () => {
  await using home = new CliHome();
  await Deno.mkdir(`${home.work}/.git`);
  await Deno.writeTextFile(`${home.work}/.git/HEAD`, "ref: refs/heads/topic\n");
  await Deno.mkdir(`${home.work}/sub`);
  const args = ["record", "--cwd", "sub", "--title", "T", "--app", "@scope/agent@1.2.3"];
  await home.run(args, { stdin: said("hi") });
  const [started] = await recorded(home);
  const { session_id: _, created_at: __, ...payload } = started?.payload ?? {};
  assert.deepEqual(payload, {
    cwd: join(home.work, "sub"),
    title: "T",
    git: { branch: "topic" },
    app: { name: "@scope/agent", version: "1.2.3" },
  });
});

Deno.test("a name alone is an app, and no title is the first message's", async () => {
  await using home = new CliHome();
  await home.run(["record", "--app", "@scope/agent", "--title", ""], { stdin: said("hi") });
  const [started] = await recorded(home);
  assert.deepEqual(started?.payload.app, { name: "@scope/agent" });
  const [row] = jsonLines((await home.run(["list", "--json"])).stdout);
  assert.equal(row?.title, "hi");
});

Deno.test("the program's own session_started is merged with what is known", async () => {
  await using home = new CliHome();
  const own = { session_id: "mine", created_at: "x", cwd: "/nowhere", title: "Mine" };
  const stdin = line("session_started", own) + said("hi");
  const { stdout } = await home.run(["record"], { stdin });
  assert.deepEqual(jsonLines(stdout).map(({ state }) => state), ["held", "synced"]);
  const [started] = await recorded(home);
  assert.equal(started?.payload.title, "Mine");
  assert.equal(started?.payload.cwd, home.work);
  assert.equal(started?.payload.session_id, jsonLines(stdout)[1]?.session_id);
});

Deno.test("a line over the limit is refused without ending the recording", async () => {
  await using home = new CliHome();
  const huge = new Uint8Array(65 * 1024 * 1024).fill(0x78);
  const stdin = new Uint8Array(
    await new Blob([said("one"), huge, "\n", said("two")]).arrayBuffer(),
  );
  const { status, stdout } = await home.run(["record"], { stdin });
  assert.equal(status, 1);
  const [one, refused, two] = jsonLines(stdout);
  assert.deepEqual([one?.seq, two?.seq, two?.input_line], [2, 3, 3]);
  assert.match(
    JSON.stringify(refused),
    /"code":"invalid-event","message":"the line has more than 67108864 bytes"/,
  );
});

Deno.test({
  name: "a recording goes on where nobody reads its answers any more",
  ignore: !unix,
  async fn(): Promise<void> {
    await using home = new CliHome();
    const texts = Array.from({ length: 600 }, (_, at) => `message ${at}`);
    await Deno.writeTextFile(join(home.work, "input.jsonl"), texts.map(said).join(""));
    const words = cliCommand().map((word) => `'${word}'`).join(" ");
    const script = `{ ${words} record < input.jsonl; echo "status $?" >&2; } | head -n 1`;
    const env = cliEnvironment({ home: home.path });
    const { stderr } = await new Deno.Command("sh", { args: ["-c", script], env, cwd: home.work })
      .output();
    assert.equal(new TextDecoder().decode(stderr), "status 0\n");
    const events = await recorded(home);
    assert.equal(events.filter(({ kind }) => kind === "user_message").length, texts.length);
    assert.deepEqual(events.at(-1)?.payload, { status: "completed" });
  },
});
