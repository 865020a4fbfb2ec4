import assert from "node:assert/strict";
import { join } from "node:path";
import type { SessionClosedPayload } from "../../lib/core/event/payload.ts";
import { type CliResult, jsonLines } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { kinds, line, recorded, said } from "./_recorded.ts";
import { onUnix } from "../_support/tests_in.ts";

inHome.test("session_closed in the input stands, and is not doubled", async (home) => {
  const outcome = { status: "failed", exit_code: 3, summary: "gave up" };
  await home.run(["record"], { stdin: said("hi") + line("session_closed", outcome) });
  const events = await recorded(home);
  assert.deepEqual(kinds(events), ["session_started", "user_message", "session_closed"]);
  assert.deepEqual(events.at(-1)?.payload, outcome);
});

inHome.test("a session that goes on after session_closed is closed again at the end of input", async (home) => {
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

onUnix.test("SIGTERM and SIGINT close the session as failed, with 143 and 130, though input is open", async () => {
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
});

onUnix.test("kill -9 leaves an interrupted session that can be gone on with", async () => {
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
});

inHome.test("record --resume goes on with a session, under its number, title and directory", async (home) => {
  const kept = home.keep(sessionId("aaaa"), [user("hi")], { cwd: `${home.path}/elsewhere` });
  const args = ["record", "--resume", "aaaa", "--title", "Second half"];
  const { stdout } = await home.succeed(args, { stdin: said("again") });
  assert.deepEqual(jsonLines(stdout), [
    { session_id: kept.id, seq: 4, state: "synced", input_line: 1 },
  ]);
  const [row] = jsonLines((await home.run(["list", "--all", "--json"])).stdout);
  assert.deepEqual([row?.title, row?.cwd], ["Second half", `${home.path}/elsewhere`]);
});

inHome.test("allows one writer a session: the second is refused with the first one's name, without loss", async (home) => {
  const recording = home.start(["record"]);
  await recording.write(said("hi"));
  const { session_id = "" } = JSON.parse(await recording.line() ?? "{}");
  const second = await home.run(["record", "--resume", session_id], { stdin: said("me too") });
  assert.deepEqual([second.status, second.stdout], [1, ""]);
  assert.match(
    second.stderr,
    /^reprise: Cannot open session for writing: process \d+ on .* since /,
  );
  await recording.write(said("still here"));
  assert.equal(JSON.parse(await recording.line() ?? "{}").seq, 3);
  await recording.endInput();
  assert.equal((await recording.end()).status, 0);
});

inHome.test("record --resume refuses what is no session of ours", async (home) => {
  const kept = home.keep(sessionId("aaaa"), [user("hi")]);
  const refs = ["zzzz", "aaa", "aaaa#2", kept.path, "claude:1234", ""];
  const results = await home.runAll(refs.map((ref) => ["record", "--resume", ref]));
  for (const { status, stdout, stderr } of results) {
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(stderr, /^reprise: Cannot [^\n]*\n$/);
  }
});

inHome.test("stores the facts of the options in the first event", async (home) => {
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

inHome.test("a name alone is an app, and no title is the first message's", async (home) => {
  await home.run(["record", "--app", "@scope/agent", "--title", ""], { stdin: said("hi") });
  const [started] = await recorded(home);
  assert.deepEqual(started?.payload.app, { name: "@scope/agent" });
  const [row] = jsonLines((await home.run(["list", "--json"])).stdout);
  assert.equal(row?.title, "hi");
});

inHome.test("merges the program's own session_started with the known facts", async (home) => {
  const own = { session_id: "mine", created_at: "x", cwd: "/nowhere", title: "Mine" };
  const stdin = line("session_started", own) + said("hi");
  const { stdout } = await home.run(["record"], { stdin });
  assert.deepEqual(jsonLines(stdout).map(({ state }) => state), ["held", "synced"]);
  const [started] = await recorded(home);
  assert.equal(started?.payload.title, "Mine");
  assert.equal(started?.payload.cwd, home.work);
  assert.equal(started?.payload.session_id, jsonLines(stdout)[1]?.session_id);
});
