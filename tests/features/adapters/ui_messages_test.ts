/** The messages of an AI SDK chat in a session, with the SDK itself. */
import { roundsOf } from "../../_support/few_rounds.ts";
import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import {
  convertToModelMessages,
  jsonSchema,
  simulateReadableStream,
  stepCountIs,
  streamText,
  tool,
  type UIMessage,
  validateUIMessages,
} from "npm:ai@7.0.173";
import { MockLanguageModelV4 } from "npm:ai@7.0.173/test";
import { type UiMessage, uiMessages } from "../../../lib/features/adapters/mod.ts";
import { memoryStore } from "../../../lib/core/store/memory_store.ts";
import { withStore } from "../../_support/temp_directory.ts";

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** A model that thinks, calls twice at once, then answers. */
function callingModel(): MockLanguageModelV4 {
  const call = (toolCallId: string): object => {
    return { type: "tool-call", toolCallId, toolName: "size", input: '{"path":"a"}' };
  };
  const first = [
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", delta: "Hm" },
    { type: "reasoning-end", id: "r", providerMetadata: { mock: { signature: "s" } } },
    call("c1"),
    call("c2"),
  ];
  const second = [
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "Done." },
    { type: "text-end", id: "t" },
  ];
  let asked = 0;
  return new MockLanguageModelV4({
    doStream: () => {
      const calls = asked++ === 0;
      const finishReason = { unified: calls ? "tool-calls" : "stop", raw: undefined };
      const finish = { type: "finish", usage: USAGE, finishReason };
      const chunks = [{ type: "stream-start", warnings: [] }, ...calls ? first : second, finish];
      return Promise.resolve({ stream: simulateReadableStream({ chunks: chunks as never[] }) });
    },
  });
}

const TOOLS = {
  size: tool({
    inputSchema: jsonSchema<{ path: string }>({ type: "object" }),
    execute: ({ path }) => ({ bytes: path.length }),
  }),
};

async function answered(model: MockLanguageModelV4, messages: UIMessage[]): Promise<UIMessage[]> {
  const result = streamText({
    model,
    messages: await convertToModelMessages(messages),
    tools: TOOLS,
    stopWhen: stepCountIs(3),
  });
  const { promise, resolve } = Promise.withResolvers<UIMessage[]>();
  const stream = result.toUIMessageStream({
    originalMessages: messages,
    generateMessageId: () => `m${messages.length + 1}`,
    onFinish: ({ messages }) => resolve(messages),
  });
  for await (const _chunk of stream);
  return await promise;
}

function asked(id: string, text: string): UIMessage {
  return { id, role: "user", parts: [{ type: "text", text }] };
}

Deno.test("uiMessages: a chat of the AI SDK is loaded as it was saved, and goes on", async () => {
  const model = callingModel();
  await withStore(async (store, directory) => {
    const first = store.create({ cwd: directory });
    const chat = uiMessages<UIMessage>(first);
    const question = [asked("m1", "How long is a?")];
    await chat.save(question);
    const messages = await answered(model, question);
    await chat.save(messages);
    const saved = first.last_seq;
    await chat.save(messages);
    assert.equal(first.last_seq, saved, "what is there is not kept again");
    await first.finish();
    await using again = await store.resume(first.id);
    const loaded = await uiMessages<UIMessage>(again).load();
    assert.deepEqual(loaded, JSON.parse(JSON.stringify(messages)));
    assert.deepEqual(await validateUIMessages({ messages: loaded }), loaded);
    const [, answer] = loaded;
    const types = ["step-start", "reasoning", "tool-size", "tool-size", "step-start", "text"];
    assert.deepEqual(answer?.parts.map(({ type }) => type), types);
    const more = await answered(model, [...loaded, asked("m3", "Thanks")]);
    await uiMessages<UIMessage>(again).save(more);
    assert.equal((await uiMessages<UIMessage>(again).load()).length, 4);
    const { messages: sent } = await again.request("anthropic");
    assert.deepEqual(sent.map(({ role }) => role), [
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
    assert.equal(again.summary.turn_count, 2);
  });
});

Deno.test("uiMessages: an edited chat replaces the conversation, not the transcript", async () => {
  const store = memoryStore();
  const session = store.create({ cwd: "/home/ada/src" });
  const chat = uiMessages<UIMessage>(session);
  await chat.save([asked("m1", "One"), asked("m2", "Two")]);
  await chat.save([asked("m1", "Uno")]);
  assert.deepEqual(await chat.load(), [asked("m1", "Uno")]);
  await chat.save([asked("m1", "Uno"), asked("m3", "Tres")]);
  assert.deepEqual(await chat.load(), [asked("m1", "Uno"), asked("m3", "Tres")]);
  const { transcript } = await store.load(session.id);
  assert.ok(JSON.stringify(transcript).includes("Two"));
});

Deno.test("uiMessages: events of another program are there as messages", async () => {
  const session = memoryStore().create({ cwd: "/home/ada/src" });
  const turn = session.turn();
  await turn.user("How long is a?");
  await turn.assistant({ text: "Let me look.", calls: [{ id: "c1", name: "size", input: {} }] });
  await turn.result("c1", { json: { bytes: 1 } });
  await turn.assistant({ calls: [{ id: "c2", name: "size", input: {} }] });
  await turn.result("c2", { error: "gone" });
  await turn.assistant({ text: "Done." });
  const chat = uiMessages<UIMessage>(session);
  const loaded = await chat.load();
  const call = { type: "dynamic-tool", toolName: "size", input: {} };
  assert.deepEqual(loaded.map(({ role, parts }) => ({ role, parts })), [
    { role: "user", parts: [{ type: "text", text: "How long is a?" }] },
    {
      role: "assistant",
      parts: [
        { type: "text", text: "Let me look." },
        { ...call, toolCallId: "c1", state: "output-available", output: { bytes: 1 } },
        { ...call, toolCallId: "c2", state: "output-error", errorText: "gone" },
        { type: "text", text: "Done." },
      ],
    },
  ]);
  await validateUIMessages({ messages: loaded });
  const before = session.last_seq;
  await chat.save([...loaded, asked("m3", "Thanks")]);
  assert.equal(session.last_seq, before + 1);
  assert.deepEqual(await chat.load(), [...loaded, asked("m3", "Thanks")]);
});

const text = fc.oneof(fc.constantFrom("", "a", "Done."), fc.string({ maxLength: 4 }));
const value = fc.oneof(text, fc.constant(null), fc.constant([]), fc.constant({ a: [1e21, "x"] }));
const toolCallId = fc.constantFrom("c1", "c2");

function record(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  return fc.record(members, { noNullPrototype: true });
}

const anyPart = fc.oneof(
  record({ type: fc.constantFrom("text", "reasoning"), text }),
  record({ type: fc.constantFrom("step-start", "file", "data-x", "tool-x"), url: text }),
  record({
    type: fc.constant("tool-size"),
    toolCallId,
    state: fc.constantFrom("input-available", "input-streaming", "approval-requested"),
    input: value,
  }),
  record({
    type: fc.constantFrom("tool-size", "tool-", "dynamic-tool"),
    toolName: fc.constant("size"),
    toolCallId,
    state: fc.constant("output-available"),
    input: value,
    output: value,
  }),
  record({
    type: fc.constant("tool-size"),
    toolCallId,
    state: fc.constant("output-error"),
    input: value,
    errorText: text,
  }),
);
const anyMessage = fc.record({
  id: text,
  role: fc.constantFrom("user" as const, "assistant" as const, "system" as const),
  parts: fc.array(anyPart, { maxLength: 5 }),
}, { noNullPrototype: true });

Deno.test("uiMessages gives any messages back as they were saved", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyMessage, { maxLength: 3 }), { maxLength: 4 }),
      fc.boolean(),
      async (steps, appending) => {
        const chat = uiMessages<UiMessage>(memoryStore().create({ cwd: "/home/ada/src" }));
        let list: UiMessage[] = [];
        for (const step of steps) {
          list = appending ? [...list, ...step] : step;
          await chat.save(list);
          assert.deepEqual(await chat.load(), list);
        }
      },
    ),
    { numRuns: roundsOf(300, 16), seed: 52 },
  );
});
