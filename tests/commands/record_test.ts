import assert from "node:assert/strict";
import { join } from "node:path";
import { cliCommand, cliEnvironment, jsonLines, startHere } from "../_support/cli.ts";
import { CliHome, inHome, testsAtHome } from "../_support/cli_home.ts";
import { atFullSize } from "../_support/full_size.ts";
import { kinds, line, recorded, said } from "./_recorded.ts";
import { needing, UNIX } from "../_support/needing.ts";

const onUnix = testsAtHome(UNIX);

inHome.test("record answers each line in order, once the event is kept, and closes as completed", async (home) => {
  const stdin = line("session_renamed", { title: "Early" }) +
    line("user_message", { content: "hi" }, { turn_id: "t1", time: "2026-01-02T03:04:05.678Z" }) +
    line("notice", { audience: "user", title: "t", text: "" });
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
    ...["session_started", "session_renamed", "user_message", "notice"],
    ...["session_checkpoint", "session_closed"],
  ]);
  assert.deepEqual([events[2]?.time, events[2]?.turn_id], ["2026-01-02T03:04:05.678Z", "t1"]);
  assert.deepEqual(events.at(-1)?.payload, { status: "completed" });
  assert.equal((await home.run(["doctor", `${session_id}`])).status, 0);
});

inHome.test("record without a real event leaves nothing behind", async (home) => {
  for (const stdin of ["", "\n\n", line("session_renamed", { title: "T" })]) {
    const { status, stderr } = await home.run(["record"], { stdin });
    assert.deepEqual([status, stderr], [0, ""]);
  }
  await assert.rejects(Deno.stat(home.store), Deno.errors.NotFound);
});

inHome.test("record refuses a line that is no event, says why, and goes on", async (home) => {
  const cases: [string, RegExp][] = [
    ["nonsense\n", /not JSON/],
    ["[1]\n", /not a JSON object/],
    ["null\n", /not a JSON object/],
    ["{}\n", /unknown kind/],
    ['{"kind":5,"payload":{}}\n', /unknown kind 5/],
    ['{"kind":"tostring","payload":{}}\n', /unknown kind "tostring"/],
    ['{"kind":"toString","payload":{}}\n', /unknown kind "toString"/],
    [line("user_message", { content: "x" }, { seq: 3 }), /leave out seq: Reprise sets this field/],
    [line("user_message", { content: "x" }, { v: 1 }), /leave out v: Reprise sets this field/],
    [
      line("user_message", { content: "x" }, { crc: "00000000" }),
      /leave out crc: Reprise sets this field/,
    ],
    [line("user_message", { content: "x" }, { colour: "red" }), /unknown field colour/],
    [
      '{"kind":"user_message","payload":{"content":"x"},"__proto__":1}\n',
      /unknown field __proto__/,
    ],
    [line("user_message", {}), /content/],
    [line("user_message", { content: 5 }), /content/],
    ['{"kind":"user_message"}\n', /payload/],
    [line("tool_end", { call_id: "c", name: "n", status: "fine" }), /status/],
    [line("user_message", { content: "x" }, { time: "yesterday" }), /time is not ISO 8601/],
    [line("user_message", { content: "x" }, { time: 5 }), /time/],
    [line("user_message", { content: "x" }, { turn_id: 5 }), /turn_id/],
    [
      line("session_started", { session_id: "x", created_at: "", cwd: "/" }),
      /a session has this event only once/,
    ],
    [
      `{"kind":"extension","payload":{"agent":"a","type":"t","data":${"[".repeat(6e3)}${
        "]".repeat(6e3)
      }}}\n`,
      /nested levels/,
    ],
    [`${"[".repeat(1e6)}\n`, /not JSON/],
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

/** Returns a response with calls of `read`. */
function response(text: string, ...ids: string[]): string {
  const calls = ids.map((call_id) => ({ type: "tool_call", call_id, name: "read", input: {} }));
  return line("assistant_message", { content: [{ type: "text", text }, ...calls] });
}

function end(call_id: string, output = "done"): string {
  return line("tool_end", { call_id, name: "read", status: "ok", output });
}

inHome.test("record refuses what readers would ignore, says what to do, and keeps the others", async (home) => {
  const refused: [string, RegExp][] = [
    [
      end("never"),
      /no unfinished tool call never; first append the model's answer that contains it/,
    ],
    [
      line("bash_end", { call_id: "never", command: "ls", status: "ok" }),
      /no unfinished tool call never; first append the model's answer/,
    ],
    [
      line("tool_start", { call_id: "never" }),
      /no answer of the model in this session contains the tool call never; append that answer first/,
    ],
    [
      line("tool_start", { call_id: "c1" }),
      /c1 has already started; it can start only once/,
    ],
    [
      line("tool_start", { call_id: "never", name: "read", input: {} }),
      /no answer of the model in this session contains the tool call never; append that answer first/,
    ],
    [
      line("bash_start", { call_id: "c2", command: "ls", origin: "model" }),
      /payload\.origin is not one of user/,
    ],
    [response("Twice", "d", "d"), /contains the call d twice; give each call its own id/],
    [
      line("assistant_message", { content: [{ type: "tool_call", name: "read", input: {} }] }),
      /content\[0\]\.call_id is not a string/,
    ],
    [
      line("compaction_applied", { status: "" }),
      /neither messages nor a summary.*; give one of them$/,
    ],
    [
      line("compaction_applied", { status: "", summary: "S", first_kept_seq: 99 }),
      /first_kept_seq 99 is not the number of an earlier event; first_kept_seq must be a number from 1 to 4/,
    ],
    [
      line("session_checkpoint", { through_seq: 1 }),
      /do not append session_checkpoint events; Reprise adds checkpoints itself/,
    ],
    [line("session_closed", { status: "done" }), /status is not one of completed, failed/],
  ];
  const stdin = [
    said("Read both."),
    response("I read them.", "c1", "c2"),
    line("tool_start", { call_id: "c1" }),
    ...refused.map(([text]) => text),
    end("c1", "one"),
    end("c1", "again"),
    line("tool_start", { call_id: "c2" }),
    end("c2", "two"),
    line("assistant_message", {
      content: [{ type: "tool_call", call_id: "c3", name: "read", input: {} }],
    }),
    end("c3", "three"),
    // An id may be used again, by a later response.
    response("Once more.", "c1"),
    end("c1", "four"),
    said("Thank you."),
  ].join("");
  const { status, stdout, stderr } = await home.run(["record"], { stdin });
  assert.deepEqual([status, stderr], [1, ""]);
  const answers = jsonLines<{ seq?: number; error?: { code: string; message: string } }>(stdout);
  for (const [index, [text, message]] of refused.entries()) {
    const { error } = answers[3 + index] ?? {};
    assert.equal(error?.code, "invalid-event", text);
    assert.match(error?.message ?? "", message);
  }
  assert.match(
    answers[4 + refused.length]?.error?.message ?? "",
    /no unfinished tool call c1;.*each tool call$/,
  );
  const kept = answers.flatMap(({ seq }) => seq === undefined ? [] : [seq]);
  assert.deepEqual(kept, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  const [row] = jsonLines((await home.run(["list", "--json"])).stdout);
  const { stdout: said_again } = await home.run(["conversation", `${row?.ref}`]);
  const results = (JSON.parse(said_again) as { role: string; content: unknown }[]).flatMap((
    { role, content },
  ) => role === "tool" ? (content as { call_id: string; output: string }[]) : []);
  assert.deepEqual(results.map(({ call_id, output }) => [call_id, output]), [
    ["c1", "one"],
    ["c2", "two"],
    ["c3", "three"],
    ["c1", "four"],
  ]);
  const verified = await home.run(["doctor", `${row?.ref}`]);
  assert.deepEqual([verified.status, verified.stdout.split("\n").length], [0, 2]);
});

inHome.test("record goes on behind session_closed, which counts only as the last event", async (home) => {
  const closed = line("session_closed", { status: "failed", exit_code: 3 });
  const stdin = said("one") + closed + said("two") + end("never") + closed;
  const { status, stdout } = await home.run(["record"], { stdin });
  assert.equal(status, 1);
  assert.deepEqual(jsonLines(stdout).map(({ seq }) => seq), [2, 3, 4, undefined, 5]);
  const events = await recorded(home);
  assert.deepEqual(events.at(-1)?.payload, { status: "failed", exit_code: 3 });
  assert.deepEqual(kinds(events).filter((kind) => kind === "session_closed").length, 2);
});

Deno.test(
  needing("the example of record --help records a response with its call", UNIX),
  async () => {
    await using home = new CliHome();
    const help = (await home.run(["record", "--help"])).stdout;
    const example = help.slice(help.indexOf("Write each response as one event")).replaceAll(
      "\n    ",
      "",
    );
    const lines = example.split("\n").filter((line) => line.startsWith("  {"));
    const stdin = lines.map((line) => `${line.trim()}\n`);
    assert.equal(stdin.length, 5);
    const { status, stdout } = await home.run(["record"], { stdin: stdin.join("") });
    assert.equal(status, 0, stdout);
    const [row] = jsonLines((await home.run(["list", "--json"])).stdout);
    const talk = JSON.parse((await home.run(["conversation", `${row?.ref}`])).stdout);
    assert.deepEqual(talk.map(({ role }: { role: string }) => role), [
      ...["user", "assistant", "tool", "assistant"],
    ]);
  },
);

inHome.test("record passes over blank lines, a BOM and CR, and counts every line", async (home) => {
  const stdin = "\ufeff" + said("one").replace("\n", "\r\n") + "\n  \n" + said("two").trimEnd();
  const { stdout } = await home.succeed(["record"], { stdin });
  const answers = jsonLines(stdout).map(({ seq, input_line }) => [seq, input_line]);
  assert.deepEqual(answers, [[2, 1], [3, 4]]);
});

inHome.test("record flushes an answer before it waits for the next line", async (home) => {
  const recording = home.talk(["record"]);
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

inHome.test("300 lines at once are acknowledged in order, and kept in order", async (home) => {
  const texts = Array.from({ length: 300 }, (_, at) => `message ${at}`);
  const { stdout } = await home.succeed(["record"], { stdin: texts.map(said).join("") });
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

inHome.test("a line over the limit is refused before it ends, without ending the recording", async (home) => {
  const recording = home.talk(["record"]);
  await recording.write(said("one") + "x".repeat(2 ** 26 + 1));
  assert.match(await recording.line() ?? "", /"seq":2,"state":"synced","input_line":1/);
  const refused = await recording.line() ?? "";
  assert.match(
    refused,
    /"code":"invalid-event","message":"the line has more than 67108864 bytes".*"input_line":2/,
  );
  await recording.write("\n" + said("two"));
  assert.match(await recording.line() ?? "", /"seq":3,"state":"synced","input_line":3/);
  await recording.endInput();
  assert.equal((await recording.end()).status, 1);
});

inHome.test("an input that cannot be read any more ends the session as failed", async (home) => {
  const { stdin, stdout, stderr, status } = startHere(["record"], { home: home.path });
  const input = stdin.getWriter();
  await input.write(new TextEncoder().encode(said("one")));
  await input.abort(Object.assign(new Error("the pipe broke"), { code: "EIO" }));
  assert.equal((await status).code, 1);
  assert.match(await new Response(stdout as BodyInit).text(), /"seq":2/);
  assert.match(await new Response(stderr as BodyInit).text(), /the pipe broke/);
  assert.deepEqual((await recorded(home)).at(-1)?.payload, { status: "failed" });
});

// The limit is 1 GiB: no option changes it.
Deno.test({
  ...atFullSize("an input that is one line without an end is left", UNIX),
  async fn(): Promise<void> {
    await using home = new CliHome();
    const env = cliEnvironment({ home: home.path });
    const one = said("one").trimEnd();
    const script = `{ echo '${one}'; cat /dev/zero; } | "$@" record`;
    const args = ["-c", script, "sh", ...cliCommand()];
    const output = await new Deno.Command("sh", { args, env, cwd: home.work }).output();
    const [stdout, stderr] = [output.stdout, output.stderr].map((bytes) =>
      new TextDecoder().decode(bytes)
    );
    assert.equal(output.code, 1);
    assert.equal(
      stderr,
      "reprise: Cannot read input: line 2 has more than 1073741824 bytes\n",
    );
    const [first, refused, ...none] = jsonLines(stdout ?? "");
    assert.deepEqual([first?.seq, refused?.input_line, none], [2, 2, []]);
    assert.match(JSON.stringify(refused), /"code":"invalid-event"/);
    assert.deepEqual((await recorded(home)).at(-1)?.payload, { status: "failed" });
  },
});

onUnix.test("a recording goes on after the reader of its answers has gone", async (home) => {
  // More answers than a pipe holds.
  const texts = Array.from({ length: 2000 }, (_, at) => `message ${at}`);
  await Deno.writeTextFile(join(home.work, "input.jsonl"), texts.map(said).join(""));
  const words = cliCommand().map((word) => `'${word}'`).join(" ");
  const script =
    `{ ${words} record --durability none < input.jsonl; echo "status $?" >&2; } | head -n 1`;
  const env = cliEnvironment({ home: home.path });
  const { stderr } = await new Deno.Command("sh", { args: ["-c", script], env, cwd: home.work })
    .output();
  assert.equal(new TextDecoder().decode(stderr), "status 0\n");
  const events = await recorded(home);
  assert.equal(events.filter(({ kind }) => kind === "user_message").length, texts.length);
  assert.deepEqual(events.at(-1)?.payload, { status: "completed" });
});
