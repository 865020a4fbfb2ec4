import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Message } from "../../../lib/core/event/message.ts";
import { jsonLines } from "../../_support/cli.ts";
import { type CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { assistant, toolEnd, toolStart, user } from "../../_support/log_bytes.ts";

const FIXTURE = fileURLToPath(
  new URL("../../../testdata/agents/atif/trajectory.json", import.meta.url),
);

async function conversationOf(home: CliHome, ref: string): Promise<Message[]> {
  const { status, stdout, stderr } = await home.run(["conversation", ref]);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Message[];
}

inHome.test("a trajectory is shown, with its calls, their results and what no call asked for", async (home) => {
  const { status, stdout } = await home.run(["show", FIXTURE, "--full"]);
  assert.equal(status, 0);
  for (
    const text of [
      "Make hello.txt",
      "A shell can do it.",
      "I will write it.",
      "echo hello > hello.txt",
      "no such file",
      "the screen flickered",
      "hello.txt is there.",
      "20 in, 100 cached, 30 out, $0.01",
    ]
  ) assert.ok(stdout.includes(text), `${text}\n${stdout}`);
  assert.match(stdout, /bash cat nothing · failed/);
});

inHome.test("the conversation has every step, and each call its result", async (home) => {
  const messages = await conversationOf(home, FIXTURE);
  assert.deepEqual(messages.map(({ role }) => role), [
    "system",
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
});

inHome.test("a session that was written as ATIF and imported has its conversation", async (home) => {
  const id = sessionId("aaaa");
  home.keep(id, [
    user("Read it"),
    toolStart("c1", { path: "a.ts" }),
    toolEnd("c1", "let a = 1;"),
    assistant("It sets a."),
    user("Thanks"),
  ]);
  const path = `${home.work}/out.json`;
  await home.run(["export", id, "--format", "atif", "--out", path]);
  const imported = await home.run(["import", path]);
  assert.equal(imported.status, 0, imported.stderr);
  const again = await conversationOf(home, imported.stdout.trim());
  assert.deepEqual(again, await conversationOf(home, id));
});

inHome.test("fields beside the steps of a trajectory are kept as extensions", async (home) => {
  const { stdout } = await home.run(["show", FIXTURE, "--events"]);
  const kept = jsonLines(stdout).filter(({ kind }) => kind === "extension")
    .map(({ payload }) => (payload as { data: Record<string, unknown> }).data);
  assert.equal(kept[0]?.notes, "made by hand from the RFC");
  assert.deepEqual(kept[1], { reasoning_effort: "high" });
});

inHome.test("a trajectory that is cut or holds nonsense is refused or read, and never crashes", async (home) => {
  const text = await Deno.readTextFile(FIXTURE);
  const wrong = [
    text.slice(0, text.length / 2),
    text.replace(/"steps": \[/, '"steps": [null, 7, {"source":[]}, {"source":"agent"},'),
    text.replace('"results": [', '"results": [null, {"content": {"a": 1}},'),
    text.replace('"message": "hello.txt is there."', '"message": {"text": 1}'),
    text.replace('"arguments": { "command": "cat nothing" }', '"arguments": "x"'),
  ];
  for (const [at, one] of wrong.entries()) {
    const path = `${home.work}/wrong${at}.json`;
    await Deno.writeTextFile(path, one);
    const { status, stderr } = await home.run(["show", path]);
    assert.ok(status === 0 || /^reprise: Cannot/m.test(stderr), `${at}: ${status} ${stderr}`);
    assert.doesNotMatch(stderr, /TypeError|at .+\.ts:/);
  }
});
