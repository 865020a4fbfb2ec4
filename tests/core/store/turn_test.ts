import assert from "node:assert/strict";
import { fromMessages } from "../../../mod.ts";
import { memoryStore } from "../../../lib/core/store/memory_store.ts";
import { readNow } from "../../_support/log_bytes.ts";
import { inStore } from "../../_support/temp_directory.ts";

inStore.test("a turn names itself and its responses", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  const turn = session.turn();
  await turn.user("hi");
  await turn.assistant({ text: "I look.", calls: [{ name: "look", input: {} }] });
  await turn.assistant({ text: "Again." });
  const events = readNow(Deno.readFileSync(session.path)).events.slice(1);
  assert.deepEqual([...new Set(events.map((event) => "turn_id" in event ? event.turn_id : ""))], [
    turn.id,
  ]);
  const ids = events.flatMap((event) =>
    event.form === "known" && event.kind === "assistant_message" ? [event.payload.message_id] : []
  );
  assert.equal(new Set(ids).size, 2);
  await session.release();
});

inStore.test("a response with its calls is one event, and a text alone is a text", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  const turn = session.turn();
  await turn.user("hi");
  const { seq } = await turn.assistant({
    text: "Both.",
    calls: [{ id: "a", name: "x", input: 1 }, { id: "b", name: "y", input: 2 }],
    model: "m",
    usage: { input: 3, output: 4 },
  }) as { seq: number };
  assert.equal(session.last_seq, seq);
  await turn.start("b");
  await turn.result("b", { json: { ok: true }, duration_ms: 1.5 });
  await turn.result("a", { error: "no such file" });
  const events = readNow(Deno.readFileSync(session.path)).events;
  const payloads = events.slice(2).map((event) => event.form === "known" ? event.payload : {});
  assert.deepEqual(payloads.slice(1), [
    { call_id: "b" },
    {
      call_id: "b",
      name: "y",
      status: "ok",
      output: [{ type: "json", value: { ok: true } }],
      duration_ns: 1_500_000,
    },
    { call_id: "a", name: "x", status: "error", error: "no such file" },
  ]);
  await session.release();
});

inStore.test("a call that was open when the program stopped can be settled by the next one", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  const turn = session.turn();
  await turn.user("hi");
  await turn.assistant({ calls: [{ id: "c1", name: "slow", input: {} }] });
  await turn.start("c1");
  await session.release();

  const resumed = await store.continueLast({ cwd: directory });
  await resumed.turn().result("c1", { output: "late" });
  const { messages } = await resumed.conversation();
  assert.deepEqual(messages.at(-1)?.content, [
    { type: "tool_result", call_id: "c1", name: "slow", status: "ok", output: "late" },
  ]);
  await resumed.release();
});

inStore.test("a result of no call is refused", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  const turn = session.turn();
  await turn.user("hi");
  await assert.rejects(turn.result("c9", { output: "x" }), { code: "invalid-event" });
  assert.equal(session.last_seq, 2);
  await session.release();
});

Deno.test("an image that a tool returns gets its hash and size, too", async () => {
  const session = memoryStore().create({ cwd: "/w" });
  const turn = session.turn();
  await turn.user("Draw");
  await turn.assistant({ calls: [{ id: "c1", name: "draw", input: {} }] });
  const image = { type: "image", media_type: "image/png", data: "aGk=" } as const;
  await turn.result("c1", { output: [{ type: "text", text: "Here" }, image] });
  assert.match(JSON.stringify(await session.request("anthropic")), /"data":"aGk="/);
  await assert.rejects(turn.result("c1", { output: [{ ...image, data: "a b" }] }), {
    code: "invalid-event",
    message: /tool_end: output\[0\]\.data is not base64/,
  });
});

Deno.test("a prompt's image gets its hash and size, and data that are no base64 are refused", async () => {
  const session = memoryStore().create({ cwd: "/home/ada/src" });
  const image = { type: "image", media_type: "image/png", data: "aGk=" } as const;
  await session.turn().user([{ type: "text", text: "Look" }, image]);
  const [message] = (await session.conversation()).messages;
  const sha256 = "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4";
  assert.deepEqual(message?.content, [
    { type: "text", text: "Look" },
    { ...image, sha256, bytes: 2 },
  ]);
  for (const data of ["data:image/png;base64,aGk=", "a b", ""]) {
    await assert.rejects(session.turn().user([{ ...image, data }]), {
      code: "invalid-event",
      message: /content\[0\]\.data is not base64/,
    });
  }
  const { messages } = await session.request("anthropic");
  assert.match(JSON.stringify(messages), /"data":"aGk="/);
});

Deno.test("an image with a media type that is none is refused", async () => {
  const turn = memoryStore().create({ cwd: "/w" }).turn();
  const image = { type: "image", media_type: "jpg", data: "aGk=" } as const;
  await assert.rejects(turn.user([image]), {
    code: "invalid-event",
    message: /content\[0\]\.media_type: it is "jpg"; give a media type such as image\/png/,
  });
});

Deno.test("the model gets why a call failed, also behind parts of output", async () => {
  const session = memoryStore().create({ cwd: "/home/ada/src" });
  const turn = session.turn();
  await turn.user("Look");
  await turn.assistant({ calls: [{ id: "c1", name: "shot", input: {} }] });
  await turn.result("c1", { output: [{ type: "text", text: "half" }], error: "cut off" });
  const { messages } = await session.conversation();
  const text = JSON.stringify(messages.at(-1));
  assert.match(text, /half/);
  assert.match(text, /cut off/);
  await assert.rejects(session.turn().assistant({ text: "", usage: { output: 1 } }), {
    message: /without any, call fail\(\)/,
  });
});

Deno.test("a row has the error of the last answer alone", async () => {
  const store = memoryStore();
  const session = store.create({ cwd: "/home/ada/src" });
  const turn = session.turn();
  const lastError = async (): Promise<unknown[]> => [
    session.summary.last_error,
    (await store.list())[0]?.last_error,
    (await session.conversation()).error,
  ];
  const none = [undefined, undefined, undefined];
  await turn.user("One");
  await turn.fail("529 overloaded");
  assert.deepEqual(await lastError(), ["529 overloaded", "529 overloaded", "529 overloaded"]);
  await turn.interrupted("A port");
  assert.deepEqual(await lastError(), none);
  await turn.fail("529 overloaded");
  await turn.assistant({ calls: [{ id: "c1", name: "read", input: {} }] });
  assert.deepEqual(await lastError(), none);
  await turn.result("c1", { status: "skipped" });
  await turn.fail("529 overloaded");
  await turn.fail("Stopped", "cancelled");
  assert.deepEqual(await lastError(), [undefined, undefined, "Stopped"]);
  await turn.interrupted("", { error: "ECONNRESET", usage: { output: 2 }, cost_usd: 0.1 });
  assert.deepEqual(await lastError(), ["ECONNRESET", "ECONNRESET", "ECONNRESET"]);
  assert.equal((await store.load(session.id)).error, "ECONNRESET");
  assert.deepEqual(session.summary.usage, { output: 2 });
  await session.turn().user("Two");
  // The last answer is still the one that was cut off.
  assert.deepEqual(await lastError(), ["ECONNRESET", "ECONNRESET", undefined]);
  await session.release();
});

Deno.test("blank answers are kept, and no request has them", async () => {
  const session = memoryStore().create({ cwd: "/home/ada/src" });
  await session.turn().user("One");
  await session.turn().interrupted("");
  await session.turn().assistant({ text: " " });
  for (const shape of ["anthropic", "openai", "gemini"] as const) {
    const sent = JSON.stringify(await session.request(shape));
    assert.doesNotMatch(sent, /assistant|model|" "|""/, sent);
  }
  await session.release();
});

Deno.test("a provider's answer belongs to its turn", async () => {
  const store = memoryStore();
  const session = store.create({ cwd: "/home/ada/src" });
  const turn = session.turn();
  await turn.user("One");
  const call = { type: "function" as const, id: "c1", function: { name: "read", arguments: "{}" } };
  const answer = { role: "assistant" as const, content: "Let me look", tool_calls: [call] };
  await turn.appendAll(fromMessages("openai", [answer]));
  await turn.result("c1", { output: "one" });
  await session.release();
  const { transcript } = await store.load(session.id);
  assert.deepEqual(new Set(transcript.slice(1).map(({ turn_id }) => turn_id)), new Set([turn.id]));
  assert.equal(transcript.length, 4);
});
