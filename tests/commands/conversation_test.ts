import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { fromMessages } from "../../lib/text/shape/from_messages.ts";
import { MESSAGE_SHAPES } from "../../lib/text/shape/message_shape.ts";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { toolEnd, user } from "../_support/log_bytes.ts";

const message_id = "m1";
const TALK: NewEvent[] = [
  user("Why?"),
  { kind: "reasoning_message", payload: { content: "Hm.", message_id } },
  { kind: "assistant_message", payload: { content: "Let me look.", message_id } },
  {
    kind: "assistant_message",
    turn_id: "t1",
    payload: {
      content: [{ type: "tool_call", call_id: "c1", name: "read", input: {} }],
      message_id,
    },
  },
  {
    ...toolEnd("c1"),
    payload: { call_id: "c1", name: "read", status: "ok", output: "x" },
  } as NewEvent,
  { kind: "assistant_message", payload: { content: "Because." } },
];
const CALL = { type: "tool_call", call_id: "c1", name: "read", input: {} };
const RESULT = { type: "tool_result", call_id: "c1", name: "read", status: "ok", output: "x" };

async function converse(home: CliHome, ...flags: string[]): Promise<unknown> {
  const { status, stdout, stderr } = await home.run(["conversation", "aaaa", ...flags]);
  assert.deepEqual([status, stderr], [0, ""]);
  assert.ok(stdout.endsWith("\n"));
  return JSON.parse(stdout);
}

inHome.test("conversation is one JSON array of messages, with calls and without reasoning", async (home) => {
  home.keep(sessionId("aaaa"), TALK);
  const messages = [
    { role: "user", content: "Why?" },
    { role: "assistant", content: [{ type: "text", text: "Let me look." }, CALL] },
    { role: "tool", content: [RESULT] },
    { role: "assistant", content: "Because." },
  ];
  assert.deepEqual(await converse(home), messages);
  assert.deepEqual(await converse(home, "--tools", "include", "--format", "plain"), messages);
});

inHome.test("conversation --tools omit and --reasoning include leave out and add", async (home) => {
  home.keep(sessionId("aaaa"), TALK);
  assert.deepEqual(await converse(home, "--tools", "omit"), [
    { role: "user", content: "Why?" },
    { role: "assistant", content: "Let me look." },
    { role: "assistant", content: "Because." },
  ]);
  const [, second] = await converse(home, "--reasoning", "include") as { content: unknown[] }[];
  assert.deepEqual(second?.content[0], { type: "reasoning", text: "Hm." });
});

inHome.test("conversation --format gives each provider's request fragment", async (home) => {
  home.keep(sessionId("aaaa"), TALK);
  const [openai, anthropic, aiSdk] = await Promise.all(
    ["openai", "anthropic", "ai-sdk"].map((shape) => converse(home, "--format", shape)),
  ) as { messages: { role: string }[] }[];
  assert.deepEqual(openai?.messages.map(({ role }) => role), [
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
  assert.deepEqual(anthropic?.messages.map(({ role }) => role), [
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
  assert.deepEqual(aiSdk?.messages.map(({ role }) => role), [
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
});

inHome.test("conversation --format knows every shape, and writes bytes as base64", async (home) => {
  const data = new Uint8Array([0, 1, 2]);
  const image = { type: "file", mediaType: "image/png", data };
  home.keep(sessionId("aaaa"), [
    ...TALK,
    ...fromMessages("ai-sdk", [{ role: "user", content: [image] }]),
  ]);
  for (const shape of MESSAGE_SHAPES) {
    assert.match(JSON.stringify(await converse(home, "--format", shape)), /AAEC/, shape);
  }
});

inHome.test("puts the system messages after a compaction where the provider wants them", async (home) => {
  home.keep(sessionId("aaaa"), [{
    kind: "compaction_applied",
    payload: { status: "done", messages: [{ role: "system", content: "Be brief." }] },
  }, user("hi")]);
  const fragment = await converse(home, "--format", "anthropic") as Record<string, unknown>;
  assert.deepEqual(Object.keys(fragment), ["system", "messages"]);
  assert.ok(JSON.stringify(fragment.system).includes("Be brief."));
});

inHome.test("a session without messages has an empty conversation", async (home) => {
  home.keep(sessionId("aaaa"), []);
  assert.deepEqual(await converse(home), []);
  assert.deepEqual(await converse(home, "--format", "openai"), { messages: [] });
});

inHome.test("conversation says on stderr that the log is damaged, and stdout stays JSON", async (home) => {
  const { path } = home.keep(sessionId("aaaa"), TALK);
  await Deno.writeTextFile(path, '{"v":1,"seq":8,"kin', { append: true });
  const { stdout, stderr } = await home.succeed(["conversation", "aaaa"]);
  assert.equal(JSON.parse(stdout).length, 4);
  assert.match(
    stderr,
    /^reprise: the log is damaged \(1 torn-tail\)\. See: reprise doctor aaaa\n$/,
  );
});
