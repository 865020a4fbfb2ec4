import assert from "node:assert/strict";
import { loadConversation } from "../../../lib/core/store/load_session.ts";
import type { Part } from "../../../lib/core/event/message.ts";
import type { SentMessage } from "../../../lib/core/projection/conversation/running_conversation.ts";
import type { Session } from "../../../lib/core/store/session.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { inStore } from "../../_support/temp_directory.ts";

function withoutPlaces({ seq: _, end_seq: __, summary: ___, ...message }: SentMessage): object {
  return message;
}

/** Compares what an open session says with what its log says. */
async function assertAsTheLog(session: Session): Promise<void> {
  const { messages } = await session.conversation();
  const options = { tools: "include", reasoning: "include" } as const;
  const read = await loadConversation(session.path, options);
  assert.deepEqual(messages.map(withoutPlaces), read.messages);
}

inStore.test("an open session knows its conversation, created or resumed", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  assert.deepEqual((await session.conversation()).messages, []);
  await session.append(user("one"));
  await session.append(assistant("two"));
  await assertAsTheLog(session);
  await session.append(user("three"));
  await assertAsTheLog(session);
  await session.release();

  const resumed = await store.resume(session.id);
  await resumed.append(assistant("four"));
  await assertAsTheLog(resumed);
  await resumed.append(user("five"));
  await assertAsTheLog(resumed);
  assert.equal(resumed.summary.message_count, 5);
  await resumed.release();
});

inStore.test("the first conversation includes events appended while the log is read", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  await session.append(user("one"));
  const asked = session.conversation();
  await session.append(assistant("two"));
  await asked;
  await assertAsTheLog(session);
  assert.equal((await session.conversation()).messages.length, 2);
  await session.release();
});

inStore.test("the log is read once: what stands in it later does not matter", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  await session.append(user("one"));
  await session.conversation();
  await Deno.remove(session.path);
  const { messages } = await session.conversation();
  assert.deepEqual(messages, [{ role: "user", content: "one", seq: 2, end_seq: 2 }]);
  await session.release();
});

inStore.test("a request is the conversation in a provider's shape, with its reasoning", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  const turn = session.turn("t1");
  await turn.user("Add them.");
  await turn.assistant({
    reasoning: [{ text: "One and one.", provider_data: { signature: "EqoB" } }],
    calls: [{ id: "c1", name: "add", input: { a: 1, b: 1 } }],
  });
  await turn.result("c1", { output: "2" });
  const { messages } = await session.request("anthropic");
  const [, response] = messages;
  assert.ok(response !== undefined && typeof response.content !== "string");
  assert.deepEqual(response.content.map(({ type }) => type), ["thinking", "tool_use"]);
  await session.release();
});

inStore.test("a compaction keeps from a message that the conversation names", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  for (const text of ["one", "two", "three"]) await session.append(user(text));
  const { messages } = await session.conversation();
  const last = messages.at(-1);
  assert.ok(last !== undefined);
  await session.compact({ summary: "They counted.", keep_from: last.seq });
  const texts = (await session.conversation()).messages.map(({ content }) => content);
  assert.deepEqual(texts, ["They counted.", "three"]);
  await assertAsTheLog(session);
  await assert.rejects(session.compact({ summary: "s", keep_from: 99 }), {
    code: "invalid-event",
  });
  await session.release();
});

inStore.test("the conversation is what was written, whatever the caller does with its event", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  await session.append(user("one"));
  await session.conversation();
  const content: Part[] = [{ type: "text", text: "lone \ud800 half" }];
  await session.append({ kind: "assistant_message", payload: { content } });
  content.push({ type: "text", text: "never written" });
  await assertAsTheLog(session);
  await session.release();
});
