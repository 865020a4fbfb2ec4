import assert from "node:assert/strict";
import { join } from "node:path";
import { cliCommand, cliEnvironment, jsonLines, startHere } from "../_support/cli.ts";
import { CliHome, inHome, testsAtHome } from "../_support/cli_home.ts";
import { atFullSize } from "../_support/full_size.ts";
import { recorded, said } from "./_recorded.ts";
import { UNIX } from "../_support/needing.ts";

const onUnix = testsAtHome(UNIX);

inHome.test("record refuses a line with too many levels, and goes on", async (home) => {
  const deep = "[".repeat(6e3) + "]".repeat(6e3);
  const data = `{"kind":"extension","payload":{"agent":"a","type":"t","data":${deep}}}\n`;
  const stdin = `${data}${"[".repeat(1e6)}\n${said("last")}`;
  const [first, second, last] = (await home.run(["record"], { stdin })).stdout.split("\n");
  assert.match(first ?? "", /"invalid-event".* nested levels/);
  assert.match(second ?? "", /"invalid-event".*not JSON/);
  assert.match(last ?? "", /"seq":2,.*"input_line":3/);
});

onUnix.test("the example of record --help records a response with its call", async (home) => {
  const help = (await home.run(["record", "--help"])).stdout;
  const example = help.slice(help.indexOf("Write each response as one event"))
    .replaceAll("\n    ", "");
  const lines = example.split("\n").filter((line) => line.startsWith("  {"));
  assert.equal(lines.length, 5);
  const { stdout } = await home.succeed(["record"], { stdin: lines.join("\n") });
  const { session_id = "" } = JSON.parse(stdout.split("\n")[0] ?? "");
  const talk = JSON.parse((await home.run(["conversation", session_id])).stdout);
  assert.deepEqual(
    talk.map(({ role }: { role: string }) => role),
    ["user", "assistant", "tool", "assistant"],
  );
});

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
