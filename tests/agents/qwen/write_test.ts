import assert from "node:assert/strict";
import { qwenAgent } from "../../../lib/agents/qwen/qwen_agent.ts";
import {
  answer,
  call,
  IMAGE,
  joinedTexts,
  nastyMessages,
  NOWHERE,
  prompt,
  recordsWritten,
  rowOf,
  said,
  START,
  testReadBack,
  testWriter,
  withLink,
  writerOf,
  written,
} from "../_written.ts";
import { placeOf } from "../../_support/agent_place.ts";

const writer = await writerOf(qwenAgent);

type Fields = Record<string, unknown>;

testWriter("a session of Qwen Code", writer, {
  proven: true,
  images: ["png", "jpeg", "gif", "webp"],
});
testReadBack("a session of Qwen Code", qwenAgent, { form: { prompt: joinedTexts } });

Deno.test("a session of Qwen Code without a title is listed by its first prompt", async () => {
  await using untitled = await written(qwenAgent, nastyMessages);
  const row = await rowOf(qwenAgent, untitled.session);
  assert.match(String(row.title), /^The conversation before was compacted/);
});

Deno.test("a session of Qwen Code lies in the folder of the directory without links", async () => {
  await withLink(async (link, real) => {
    const variables = new Map([["QWEN_HOME", "~/q"]]);
    const environment = {
      ...NOWHERE,
      home: "/home/a",
      variable: (name: string) => variables.get(name),
    };
    const place = placeOf("qwen", environment);
    assert.equal(place.folder, "/home/a/q");
    const slug = real.replaceAll(/[^A-Za-z0-9]/g, "-");
    const start = { ...START, cwd: link };
    assert.deepEqual(writer.place(place, start, "/tmp"), {
      path: `/home/a/q/projects/${slug}/chats/${START.id}.jsonl`,
    });
    // The client refuses a session whose records name another directory than its own.
    const [record] = await recordsWritten(writer, [prompt(said("hi"))], start);
    assert.equal(record?.cwd, real);
    variables.set("QWEN_RUNTIME_DIR", "/run/q");
    assert.equal(placeOf("qwen", environment).folder, "/run/q");
  });
});

Deno.test("records follow each other; each result is one, and the title is the last", async () => {
  const calls = [
    call(writer, "run_shell_command", { input: { command: "ls" }, output: [said("a")] }),
    call(writer, "look", { output: [said("cut"), IMAGE], status: "interrupted" }),
  ];
  const messages = [prompt(said("hi")), answer("so", calls)];
  const records = await recordsWritten(writer, messages, { title: "The title" });
  let parent: unknown = null;
  for (const { uuid, parentUuid, sessionId, cwd, version } of records) {
    assert.equal(parentUuid, parent);
    parent = uuid;
    assert.match(String(uuid), /^[0-9a-f-]{36}$/);
    assert.deepEqual([sessionId, cwd, version], [START.id, "/w", "0.24.4"]);
  }
  const [asked, answered, one, two, title] = records;
  const [first, second] = calls;
  assert.deepEqual([asked?.type, asked?.message], ["user", {
    role: "user",
    parts: [{ text: "hi" }],
  }]);
  assert.equal(answered?.type, "assistant");
  assert.deepEqual((answered?.message as Fields).parts, [
    { text: "so" },
    { functionCall: { id: first?.id, name: "run_shell_command", args: { command: "ls" } } },
    { functionCall: { id: second?.id, name: "look", args: {} } },
  ]);
  assert.deepEqual(answered?.reprise, {
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
