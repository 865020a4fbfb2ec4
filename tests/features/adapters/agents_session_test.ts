/** The history of OpenAI Agents in a session. tests/examples runs the SDK itself on it. */
import { roundsOf } from "../../_support/few_rounds.ts";
import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { agentsSession } from "../../../lib/features/adapters/agents_session.ts";
import { memoryStore } from "../../../lib/core/store/memory_store.ts";
import { inStore } from "../../_support/temp_directory.ts";

const ASKED = { type: "message", role: "user", content: "What time is it?" };
const THOUGHT = { type: "reasoning", id: "rs_1", content: [{ type: "input_text", text: "Hm" }] };
const CALL = { type: "function_call", callId: "c1", name: "now", arguments: "{ }", id: "fc_1" };
const OTHER = { ...CALL, callId: "c2", id: "fc_2", arguments: '{"zone":"UTC"}' };
const RESULT = {
  type: "function_call_result",
  callId: "c1",
  name: "now",
  status: "completed",
  output: { type: "text", text: "noon" },
};
const ANSWER = {
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Noon.", providerData: { annotations: [1e21] } }],
};
const HOSTED = { type: "hosted_tool_call", id: "h1", name: "web_search", output: "found" };
const IMAGE = {
  role: "user",
  content: [{ type: "input_image", image: "data:image/png;base64,AA" }],
};
const HISTORY = [ASKED, THOUGHT, CALL, OTHER, { ...RESULT, callId: "c2" }, RESULT, HOSTED, ANSWER];

inStore.test("agentsSession: items come back as they were, now and after a resume", async ({ store, directory }) => {
  const first = store.create({ cwd: directory });
  const history = agentsSession(first);
  assert.deepEqual([await history.getItems(), await history.popItem()], [[], undefined]);
  await history.addItems(HISTORY.slice(0, 4));
  assert.deepEqual(await history.getItems(), HISTORY.slice(0, 4));
  await history.addItems([...HISTORY.slice(4), IMAGE]);
  assert.deepEqual(await history.getItems(), [...HISTORY, IMAGE]);
  assert.deepEqual(await history.getItems(2), [ANSWER, IMAGE]);
  assert.deepEqual([await history.getItems(0), await history.getItems(-1)], [[], []]);
  await first.finish();
  await using again = await store.resume(await history.getSessionId());
  assert.deepEqual(await agentsSession(again).getItems(), [...HISTORY, IMAGE]);
});

inStore.test("agentsSession: any program can continue the session", async ({ store, directory }) => {
  await using session = store.create({ cwd: directory });
  await agentsSession(session).addItems(HISTORY);
  const { messages } = await session.request("openai");
  assert.deepEqual(messages.map(({ role }) => role), [
    "user",
    "assistant",
    "tool",
    "tool",
    "assistant",
  ]);
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? message.tool_calls ?? [] : []
  );
  assert.deepEqual(calls.map((call) => call.function), [
    { name: "now", arguments: "{ }" },
    { name: "now", arguments: '{"zone":"UTC"}' },
  ]);
  assert.equal(session.summary.title, ASKED.content);
});

Deno.test("agentsSession: events of another program are there as items", async () => {
  const store = memoryStore();
  const session = store.create({ cwd: "/home/ada/src" });
  const turn = session.turn();
  await turn.user("What time is it?");
  await turn.assistant({
    reasoning: [{ text: "Hm" }],
    calls: [{ id: "c1", name: "now", input: {} }],
  });
  await turn.result("c1", { output: "noon" });
  await turn.assistant({ text: "Noon." });
  const { id: _id, ...call } = CALL;
  const history = agentsSession<object>(session);
  assert.deepEqual(await history.getItems(), [
    ASKED,
    { type: "reasoning", content: [{ type: "input_text", text: "Hm" }] },
    { ...call, arguments: "{}", status: "completed" },
    RESULT,
    { ...ANSWER, content: [{ type: "output_text", text: "Noon." }] },
  ]);
  await history.addItems([IMAGE]);
  assert.deepEqual((await history.getItems()).slice(3), [
    RESULT,
    { ...ANSWER, content: [{ type: "output_text", text: "Noon." }] },
    IMAGE,
  ]);
});

Deno.test("agentsSession: an item that was taken back is out of the conversation, not of the log", async () => {
  const store = memoryStore();
  const session = store.create({ cwd: "/home/ada/src" });
  const history = agentsSession<object>(session);
  await history.addItems(HISTORY);
  for (let left = HISTORY.length; left > 2; left--) {
    assert.deepEqual(await history.popItem(), HISTORY[left - 1]);
    assert.deepEqual(await history.getItems(), HISTORY.slice(0, left - 1));
  }
  await history.addItems(HISTORY.slice(2));
  assert.deepEqual(await history.getItems(), HISTORY);
  const { transcript } = await store.load(session.id);
  assert.ok(JSON.stringify(transcript).includes("Noon."));
  await history.clearSession();
  assert.deepEqual(await history.getItems(), []);
  await history.addItems([ASKED]);
  assert.deepEqual(await history.getItems(), [ASKED]);
});

Deno.test("agentsSession: a result of a call that was replaced before still belongs to it", async () => {
  const session = memoryStore().create({ cwd: "/home/ada/src" });
  const history = agentsSession<object>(session);
  await history.addItems([ASKED, CALL]);
  await history.replaceHistoryWithCompaction([ASKED, CALL]);
  assert.deepEqual(await history.getItems(), [ASKED, CALL]);
  await history.addItems([RESULT, ANSWER]);
  assert.deepEqual(await history.getItems(), [ASKED, CALL, RESULT, ANSWER]);
  // A result of no call at all stays where it was.
  await history.addItems([{ ...RESULT, callId: "gone" }]);
  assert.equal((await history.getItems()).length, 5);
});

Deno.test("agentsSession: bytes come back; an invalid item is refused, and nothing is written", async () => {
  const session = memoryStore().create({ cwd: "/home/ada/src" });
  const history = agentsSession<object>(session);
  const output = { type: "image", image: { data: new Uint8Array([1, 2]), mediaType: "image/png" } };
  const items = [ASKED, CALL, { ...RESULT, output }];
  await history.addItems(items);
  assert.deepEqual(await history.getItems(), items);
  const { last_seq } = session;
  for (const wrong of [{ ...CALL, callId: 1 }, { role: "robot" }, { ...ASKED, at: new Date(0) }]) {
    await assert.rejects(history.addItems([ASKED, wrong]), {
      code: "invalid-event",
      message: /items\[1\]\.(?:callId|role|at) is /,
    });
  }
  assert.equal(session.last_seq, last_seq);
});

const text = fc.oneof(fc.constantFrom("", "a", "{}", "Noon.", "  "), fc.string({ maxLength: 5 }));
const callId = fc.constantFrom("c1", "c2", "c3");
function record(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  return fc.record(members, { noNullPrototype: true });
}

const anyItem = fc.oneof(
  record({ role: fc.constantFrom("user", "system"), content: text }),
  record({ type: fc.constant("message"), role: fc.constant("assistant"), content: text }),
  record({ type: fc.constant("reasoning"), content: fc.array(record({ text })) }),
  record({ type: fc.constant("function_call"), callId, name: text, arguments: text }),
  record({ type: fc.constant("function_call_result"), callId, name: text, output: text }),
  record({ type: fc.constant("compaction"), encrypted_content: text }),
);

Deno.test("agentsSession does what a list does, for any items in any order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.array(anyItem, { maxLength: 6 }), fc.constantFrom("pop", "clear")), {
        maxLength: 8,
      }),
      async (steps) => {
        const history = agentsSession<object>(memoryStore().create({ cwd: "/home/ada/src" }));
        let list: object[] = [];
        for (const step of steps) {
          if (step === "pop") assert.deepEqual(await history.popItem(), list.pop());
          else if (step === "clear") list = (await history.clearSession(), []);
          else if (typeof step !== "string") {
            await history.addItems(step);
            list.push(...step);
          }
          assert.deepEqual(await history.getItems(), list);
        }
      },
    ),
    { numRuns: roundsOf(200, 20), seed: 52 },
  );
});
