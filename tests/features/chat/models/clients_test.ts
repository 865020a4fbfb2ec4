/** The clients by themselves: what they ask, what they make of the answer, and how they fail. */
import assert from "node:assert/strict";
import { anthropicClient } from "../../../../lib/features/chat/models/anthropic_client.ts";
import { openAiClient } from "../../../../lib/features/chat/models/openai_client.ts";
import { retrying } from "../../../../lib/features/chat/models/retry.ts";
import type { ModelDelta, ModelResponse } from "../../../../lib/features/chat/models/model.ts";
import { type Answer, ModelServer } from "../../../_support/model_servers.ts";
import { testData } from "../../../_support/test_data.ts";
import { clientOf, DIALECTS } from "../_chatting.ts";
import { failureOf } from "./_failure_of.ts";
import { FakeClock } from "./_fake_clock.ts";

const TOOL = { name: "t", description: "Does it.", parameters: { type: "object" } };
const REQUEST = {
  system: "Be brief.",
  messages: [{ role: "user" as const, content: "hi" }],
  tools: [TOOL],
};

Deno.test("input excludes the tokens of OpenAI's cache", async () => {
  const usage = { input: 100, output: 5, cached: 64 };
  await using server = new ModelServer("openai", [{ text: "a", usage }]);
  const client = openAiClient({ base_url: server.url, api_key: "key", model: "m" });
  const response = await client.complete(REQUEST);
  assert.deepEqual(response.usage, { input: 36, output: 5, cache_read: 64, cache_write: 0 });
  assert.equal(response.context_used, 105);
});

/** What a server answers, what the client makes of it, and what it had asked. */
interface Exchange {
  answer: Answer;
  response: ModelResponse;
  deltas: string[];
  path: string;
  /** The header that has the key. */
  key: [name: string, value: string];
  body: unknown;
}

for (const dialect of DIALECTS) {
  Deno.test(`a request and its answer, field by field (${dialect})`, async () => {
    const expected = testData<Exchange>(`chat/${dialect}_exchange.json`);
    await using server = new ModelServer(dialect, [expected.answer]);
    const options = { base_url: server.url, api_key: "key", model: "m" };
    const client = dialect === "openai"
      ? openAiClient({ ...options, base_url: `${server.url}/` })
      : anthropicClient({ ...options, thinking_tokens: 2048 });
    const deltas: string[] = [];
    const onDelta = ({ type }: ModelDelta): void => void deltas.push(type);
    assert.deepEqual(await client.complete(REQUEST, { onDelta }), expected.response);
    assert.deepEqual(deltas, expected.deltas);
    const [{ path, headers, body } = assert.fail()] = server.asked;
    const [name, value] = expected.key;
    assert.deepEqual([path, headers[name]], [expected.path, value]);
    assert.deepEqual(body, expected.body);
  });
}

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
    const error = await failureOf(client, { onDelta });
    assert.equal(error.code, "cut-stream");
    assert.deepEqual(error.partial, { text: "some words", reasoning: "" });
    assert.equal(error.retryable, false);
  });

  Deno.test(`the status of a refusal says what kind it is (${dialect})`, async () => {
    const statuses = [400, 401, 404, 408, 429, 500, 529];
    await using server = new ModelServer(dialect, statuses.map((status) => ({ status })));
    const client = clientOf(server, { tries: 1 });
    const codes: string[] = [];
    for (const _ of statuses) codes.push((await failureOf(client)).code);
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
  const error = await failureOf(clientOf(server));
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
  const codes = [await failureOf(client), await failureOf(client), await failureOf(client)];
  assert.deepEqual(codes.map(({ code }) => code), [
    "invalid-response",
    "invalid-response",
    "cut-stream",
  ]);
});
