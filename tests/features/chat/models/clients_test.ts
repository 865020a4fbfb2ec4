/** The clients by themselves: what they ask, what they make of the answer, and how they fail. */
import assert from "node:assert/strict";
import { anthropicClient } from "../../../../lib/features/chat/models/anthropic_client.ts";
import { ModelError } from "../../../../lib/features/chat/models/model_error.ts";
import { openAiClient } from "../../../../lib/features/chat/models/openai_client.ts";
import { retrying } from "../../../../lib/features/chat/models/retry.ts";
import type {
  CompletionOptions,
  ModelClient,
  ModelDelta,
} from "../../../../lib/features/chat/models/model.ts";
import { ModelServer } from "../../../_support/model_servers.ts";
import { clientOf, DIALECTS } from "../_chatting.ts";
import { FakeClock } from "./_fake_clock.ts";

const TOOL = { name: "t", description: "Does it.", parameters: { type: "object" } };
const REQUEST = {
  system: "Be brief.",
  messages: [{ role: "user" as const, content: "hi" }],
  tools: [TOOL],
};

async function failure(client: ModelClient, options?: CompletionOptions): Promise<ModelError> {
  try {
    await client.complete(REQUEST, options);
  } catch (error) {
    assert.ok(error instanceof ModelError, String(error));
    return error;
  }
  assert.fail("it did not fail");
}

Deno.test("input excludes the tokens of OpenAI's cache", async () => {
  const usage = { input: 100, output: 5, cached: 64 };
  await using server = new ModelServer("openai", [{ text: "a", usage }]);
  const client = openAiClient({ base_url: server.url, api_key: "key", model: "m" });
  const response = await client.complete(REQUEST);
  assert.deepEqual(response.usage, { input: 36, output: 5, cache_read: 64, cache_write: 0 });
  assert.equal(response.context_used, 105);
});

Deno.test("an OpenAI request and its answer, field by field", async () => {
  const answer = {
    text: "Yes, so.",
    reasoning: "Hm.",
    calls: [{ id: "c1", name: "t", input: { a: "ü\n" } }],
    usage: { input: 10, output: 5 },
  };
  await using server = new ModelServer("openai", [answer]);
  const client = openAiClient({ base_url: `${server.url}/`, api_key: "key", model: "m" });
  const deltas: ModelDelta[] = [];
  const response = await client.complete(REQUEST, { onDelta: (delta) => deltas.push(delta) });
  assert.deepEqual(response, {
    text: "Yes, so.",
    reasoning: [{ text: "Hm.", provider_data: { type: "reasoning_content" } }],
    calls: [{ call_id: "c1", name: "t", input: { a: "ü\n" } }],
    model: "served-model",
    provider: "openai",
    message_id: "chatcmpl-1",
    finish_reason: "tool_calls",
    request_id: "req_1",
    usage: { input: 10, output: 5 },
    context_used: 15,
  });
  assert.deepEqual(deltas.map(({ type }) => type), ["reasoning", "text", "text", "call", "call"]);
  const [asked] = server.asked;
  assert.equal(asked?.headers.authorization, "Bearer key");
  assert.equal(asked?.path, "/v1/chat/completions");
  assert.deepEqual(asked?.body, {
    model: "m",
    messages: [{ role: "system", content: "Be brief." }, { role: "user", content: "hi" }],
    tools: [{ type: "function", function: TOOL }],
    stream: true,
    stream_options: { include_usage: true },
  });
});

Deno.test("an Anthropic request and its answer, field by field", async () => {
  const answer = {
    text: "Yes.",
    reasoning: "Hm, so.",
    signature: "sig",
    calls: [{ id: "c1", name: "t", input: {} }],
    usage: { input: 10, output: 5 },
  };
  await using server = new ModelServer("anthropic", [answer]);
  const client = anthropicClient({
    base_url: server.url,
    api_key: "key",
    model: "m",
    thinking_tokens: 2048,
  });
  assert.deepEqual(await client.complete(REQUEST), {
    text: "Yes.",
    reasoning: [{ text: "Hm, so.", provider_data: { signature: "sig" } }],
    calls: [{ call_id: "c1", name: "t", input: {} }],
    model: "served-model",
    provider: "anthropic",
    message_id: "msg_1",
    finish_reason: "tool_use",
    request_id: "req_1",
    usage: { input: 10, output: 5 },
    context_used: 15,
  });
  const [asked] = server.asked;
  assert.equal(asked?.headers["x-api-key"], "key");
  assert.equal(asked?.path, "/v1/messages");
  assert.deepEqual(asked?.body, {
    model: "m",
    max_tokens: 16_384,
    system: "Be brief.",
    messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    tools: [{ name: "t", description: "Does it.", input_schema: { type: "object" } }],
    thinking: { type: "enabled", budget_tokens: 2048 },
    stream: true,
  });
});

for (const dialect of DIALECTS) {
  Deno.test(`a stream that goes silent is cut, and keeps what came (${dialect})`, async () => {
    await using server = new ModelServer(dialect, [{ text: "some words", broken: "silent" }]);
    using clock = new FakeClock();
    const options = { base_url: server.url, model: "m", idle_ms: 60_000 };
    const client = dialect === "openai"
      ? openAiClient(options)
      : anthropicClient({ ...options, api_key: "" });
    let said = "";
    const onDelta = ({ text }: ModelDelta): void => {
      said += text;
      if (said === "some words") clock.forward(60_000);
    };
    const error = await failure(client, { onDelta });
    assert.equal(error.code, "cut-stream");
    assert.deepEqual(error.partial, { text: "some words", reasoning: "" });
    assert.equal(error.retryable, false);
  });

  Deno.test(`the status of a refusal says what kind it is (${dialect})`, async () => {
    const statuses = [400, 401, 404, 408, 429, 500, 529];
    await using server = new ModelServer(dialect, statuses.map((status) => ({ status })));
    const client = clientOf(server, { tries: 1 });
    const codes: string[] = [];
    for (const _ of statuses) codes.push((await failure(client)).code);
    const expected = ["refused", "unauthorized", "refused", "server", "rate-limited"];
    assert.deepEqual(codes, [...expected, "server", "server"]);
  });
}

Deno.test("a server that is not there is tried four times, and then told of", async () => {
  const waits: number[] = [];
  const client = openAiClient({ base_url: "http://127.0.0.1:9/v1", model: "m" });
  const patient = retrying(client, { base_ms: 8, random: () => 0 });
  const asked = patient.complete(REQUEST, { onRetry: ({ wait_ms }) => waits.push(wait_ms) });
  await assert.rejects(asked, { name: "ModelError", code: "network" });
  assert.deepEqual(waits, [8, 16, 32]);
});

Deno.test("a server that asks to wait for an hour is not waited for", async () => {
  const busy = { status: 429, headers: { "retry-after": "3600" } };
  await using server = new ModelServer("openai", [busy]);
  const error = await failure(clientOf(server));
  assert.equal(error.code, "rate-limited");
  assert.equal(error.data.retry_after_ms, 3_600_000);
  assert.equal(server.asked.length, 1);
});

Deno.test("an answer that is no stream, and one that is no JSON, are no answers", async () => {
  const type = { "content-type": "text/event-stream" };
  const answers = [
    new Response("<html>", { headers: { "content-type": "text/html" } }),
    new Response("data: {oops\n\n", { headers: type }),
    new Response("", { headers: type }),
  ];
  const options = { port: 0, hostname: "127.0.0.1", onListen: () => {/* not a word */} };
  await using server = Deno.serve(options, () => answers.shift() ?? new Response("gone"));
  const base_url = `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}`;
  const client = openAiClient({ base_url, model: "m" });
  const codes = [await failure(client), await failure(client), await failure(client)];
  assert.deepEqual(codes.map(({ code }) => code), [
    "invalid-response",
    "invalid-response",
    "cut-stream",
  ]);
});
