import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "npm:fast-check@4.10.2";
import { qwenAgent } from "../../../lib/agents/qwen/qwen_agent.ts";
import type { HandedMessage } from "../../../lib/source/session_writer.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import {
  anyMessages,
  assertReadBack,
  assertStreams,
  BEGUN,
  call,
  IMAGE,
  joinedTexts,
  nastyMessages,
  NOW,
  NOWHERE,
  recordsOf,
  rowOf,
  said,
  textOf,
  writerOf,
  written,
} from "../_written.ts";

const writer = await writerOf(qwenAgent);
const ID = "2b3a1d4b-b74e-45d7-88ac-627aab6b7eb2";
const START = { id: ID, from: "codex:1", cwd: "/w", begun: BEGUN, now: NOW };

type Fields = Record<string, unknown>;

async function recordsOfMessages(messages: HandedMessage[], title?: string): Promise<Fields[]> {
  return recordsOf(
    await textOf(writer, { ...START, ...(title === undefined ? {} : { title }) }, messages),
  );
}

Deno.test("a written session of Qwen Code reads back as what was handed over", async () => {
  const messages = nastyMessages(writer);
  const form = { prompt: joinedTexts };
  await assertReadBack(qwenAgent, messages, { title: "The title", form });
  await assertReadBack(qwenAgent, messages, { form });
});

Deno.test("any conversation reads back from a session of Qwen Code", async () => {
  await fc.assert(
    fc.asyncProperty(anyMessages(writer), (messages) => assertReadBack(qwenAgent, messages)),
    { numRuns: 20, seed: 66 },
  );
});

Deno.test("a written session of Qwen Code is listed with its title and its directory", async () => {
  await using made = await written(qwenAgent, nastyMessages, { title: "The title" });
  const { title, cwd, created_at } = await rowOf(qwenAgent, made.session);
  assert.deepEqual([title, cwd], ["The title", "/home/dev/some dir.d"]);
  assert.equal(created_at, "2026-08-01T10:00:00.000Z");
  await using untitled = await written(qwenAgent, nastyMessages);
  const row = await rowOf(qwenAgent, untitled.session);
  assert.match(String(row.title), /^The conversation before was compacted/);
});

Deno.test("a session of Qwen Code lies in the folder of the directory without links", async () => {
  await withDirectory(async (folder) => {
    const real = join(await Deno.realPath(folder), "real.d");
    await Deno.mkdir(real);
    const link = join(folder, "link");
    await Deno.symlink(real, link);
    const variables = new Map([["QWEN_HOME", "~/q"]]);
    const environment = {
      ...NOWHERE,
      home: "/home/a",
      variable: (name: string) => variables.get(name),
    };
    assert.equal(writer.home(environment), "/home/a/q");
    const slug = real.replaceAll(/[^A-Za-z0-9]/g, "-");
    const start = { ...START, cwd: link };
    assert.deepEqual(writer.place(environment, start, folder), {
      path: `/home/a/q/projects/${slug}/chats/${ID}.jsonl`,
    });
    // The client refuses a session whose records name another directory than its own.
    const text = await textOf(writer, start, [{ role: "user", time: BEGUN, parts: [said("hi")] }]);
    assert.equal(recordsOf(text)[0]?.cwd, real);
    variables.set("QWEN_RUNTIME_DIR", "/run/q");
    assert.equal(writer.home(environment), "/run/q");
  });
});

Deno.test("records follow each other; each result is one, and the title is the last", async () => {
  const calls = [
    call(writer, "run_shell_command", { input: { command: "ls" }, output: [said("a")] }),
    call(writer, "look", { output: [said("cut"), IMAGE], status: "interrupted" }),
  ];
  const records = await recordsOfMessages([
    { role: "user", time: BEGUN, parts: [said("hi")] },
    { role: "assistant", time: BEGUN + 1, text: "so", reasoning: [], calls },
  ], "The title");
  let parent: unknown = null;
  for (const { uuid, parentUuid, sessionId, cwd, version } of records) {
    assert.equal(parentUuid, parent);
    parent = uuid;
    assert.match(String(uuid), /^[0-9a-f-]{36}$/);
    assert.deepEqual([sessionId, cwd, version], [ID, "/w", "0.24.4"]);
  }
  const [prompt, answer, one, two, title] = records;
  const [first, second] = calls;
  assert.deepEqual([prompt?.type, prompt?.message], ["user", {
    role: "user",
    parts: [{ text: "hi" }],
  }]);
  assert.equal(answer?.type, "assistant");
  assert.deepEqual((answer?.message as Fields).parts, [
    { text: "so" },
    { functionCall: { id: first?.id, name: "run_shell_command", args: { command: "ls" } } },
    { functionCall: { id: second?.id, name: "look", args: {} } },
  ]);
  assert.deepEqual(answer?.reprise, {
    from: "codex:1",
    calls: { [String(first?.id)]: first?.original, [String(second?.id)]: second?.original },
  });
  assert.equal(one?.type, "tool_result");
  const given = { id: first?.id, name: "run_shell_command", response: { output: "a" } };
  assert.deepEqual(one?.message, { role: "user", parts: [{ functionResponse: given }] });
  assert.deepEqual(one?.toolCallResult, {
    callId: first?.id,
    status: "success",
    resultDisplay: "a",
  });
  const image = IMAGE.type === "image" ? { mimeType: "image/png", data: IMAGE.data } : {};
  const shown = {
    id: second?.id,
    name: "look",
    response: { error: "cut" },
    parts: [{ inlineData: image }],
  };
  assert.deepEqual(two?.message, { role: "user", parts: [{ functionResponse: shown }] });
  assert.deepEqual([title?.type, title?.subtype, title?.systemPayload, title?.timestamp], [
    "system",
    "custom_title",
    { customTitle: "The title", titleSource: "manual" },
    "2026-11-23T06:30:15.250Z",
  ]);
});

Deno.test("a session of Qwen Code is written as its messages come", () => assertStreams(qwenAgent));
