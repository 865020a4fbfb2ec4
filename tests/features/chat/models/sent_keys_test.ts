/** Keys go to the server that the user named alone, and what comes back is without them. */
import assert from "node:assert/strict";
import { anthropicClient } from "../../../../lib/features/chat/models/anthropic_client.ts";
import type { ModelClient, ModelDelta } from "../../../../lib/features/chat/models/model.ts";
import { openAiClient } from "../../../../lib/features/chat/models/openai_client.ts";
import { listModels } from "../../../../lib/features/chat/models/choose_model.ts";
import { KeyFragments, SentKeys } from "../../../../lib/features/chat/models/sent_keys.ts";
import type { Dialect } from "../../../_support/model_servers.ts";
import { RawServer, sse } from "../../../_support/raw_server.ts";
import { DIALECTS } from "../_chatting.ts";
import { failureOf } from "./_failure_of.ts";

const KEY = "sk-test-A1b2C3d4E5f6G7h8I9j0";
const REQUEST = { messages: [{ role: "user" as const, content: "hi" }], tools: [] };
const STREAM = { "content-type": "text/event-stream" };

function clientAt(base_url: string, dialect: Dialect, api_key = KEY): ModelClient {
  const options = { base_url, api_key, model: "m" };
  return dialect === "openai" ? openAiClient(options) : anthropicClient(options);
}

function redirect(status: number, location: string): Response {
  return new Response(null, { status, headers: { location } });
}

for (const dialect of DIALECTS) {
  Deno.test(`another server gets neither key nor conversation (${dialect})`, async () => {
    await using other = new RawServer(() => new Response("ok"));
    for (const status of [301, 302, 303, 307, 308]) {
      const away = `${other.origin}/v1/messages?q=1`;
      await using server = new RawServer(() => redirect(status, away));
      const error = await failureOf(clientAt(server.origin, dialect));
      assert.equal(error.code, "redirected");
      assert.equal(error.data.status, status);
      const setting = dialect === "openai" ? "OPENAI_BASE_URL" : "ANTHROPIC_BASE_URL";
      assert.ok(error.message.includes(`${server.origin} redirects to ${other.origin} (`));
      assert.ok(error.message.endsWith(`set ${setting} to it`), error.message);
      assert.equal(error.retryable, false);
    }
    assert.deepEqual(other.received, []);
  });

  Deno.test(`a redirect of the same server is followed as the same request (${dialect})`, async () => {
    await using server = new RawServer(({ path }) =>
      path.endsWith("/") ? answerOf(dialect) : redirect(308, `${path}/`)
    );
    const { text } = await clientAt(server.origin, dialect).complete(REQUEST);
    assert.equal(text, "here");
    const [first, second] = server.received;
    assert.equal(second?.method, "POST");
    assert.equal(second?.body, first?.body);
  });

  Deno.test(`a server that redirects to itself for ever is left (${dialect})`, async () => {
    await using server = new RawServer(() => redirect(307, "/again"));
    const error = await failureOf(clientAt(server.origin, dialect));
    assert.equal(error.code, "redirected");
    assert.ok(server.received.length < 10);
  });

  Deno.test(`a refusal that says the key is told without it (${dialect})`, async () => {
    const bodies = [
      { error: { message: `Incorrect API key provided: ${KEY}` } },
      { error: { message: "x".repeat(590) + KEY } },
      `Bearer ${KEY}`,
      " ".repeat(64 * 1024 - 10) + KEY,
    ];
    for (const body of bodies) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      await using server = new RawServer(() => new Response(text, { status: 401 }));
      const { code, message } = await failureOf(clientAt(server.origin, dialect));
      assert.equal(code, "unauthorized");
      assert.ok(!message.includes(KEY.slice(0, 9)), message);
    }
    await using html = new RawServer(() =>
      new Response("<p>", { headers: { "content-type": `text/html; key=${KEY}` } })
    );
    assert.doesNotMatch((await failureOf(clientAt(html.origin, dialect))).message, /A1b2/);
  });

  Deno.test(`an answer that says the key is shown and kept without it (${dialect})`, async () => {
    await using server = new RawServer(() => echo(dialect));
    const deltas: ModelDelta[] = [];
    const client = clientAt(server.origin, dialect);
    const response = await client.complete(REQUEST, { onDelta: (delta) => deltas.push(delta) });
    const told = JSON.stringify([response, deltas]);
    assert.ok(!told.includes(KEY), told);
    const shown = deltas.flatMap(({ type, text }) => type === "text" ? [text] : []).join("");
    assert.equal(shown, response.text);
    assert.match(response.text, /^Your key is \[API key\], so\.$/);
    assert.deepEqual(response.calls.map(({ input }) => input), [{ a: ["[API key]"] }]);
    assert.equal(response.request_id, "[API key]");
  });

  Deno.test(`a key in the conversation is the user's, and may be said (${dialect})`, async () => {
    await using server = new RawServer(() => echo(dialect));
    const messages = [{ role: "user" as const, content: `My key is ${KEY}` }];
    const { text } = await clientAt(server.origin, dialect).complete({ messages, tools: [] });
    assert.equal(text, `Your key is ${KEY}, so.`);
  });
}

/** A whole answer that says `here`. */
function answerOf(dialect: Dialect): Response {
  const events = dialect === "openai"
    ? [sse({ choices: [{ delta: { content: "here" } }] }), "data: [DONE]\n\n"]
    : [
      sse({ type: "content_block_start", content_block: { type: "text", text: "here" } }),
      sse({ type: "message_stop" }),
    ];
  return new Response(events.join(""), { headers: STREAM });
}

/** An answer that says the key everywhere, in fragments that cut it. */
function echo(dialect: Dialect): Response {
  const answer = new URL(`../../../../testdata/chat/said_key_${dialect}.sse`, import.meta.url);
  return new Response(Deno.readTextFileSync(answer), {
    headers: { ...STREAM, "x-request-id": KEY },
  });
}

Deno.test("an error in the stream, and a cut one, say no key", async () => {
  const said = sse({ choices: [{ delta: { content: `It is ${KEY.slice(0, 20)}` } }] });
  const failed = sse({ error: { message: `bad key ${KEY}` } });
  await using server = new RawServer(() => new Response(said + failed, { headers: STREAM }));
  const error = await failureOf(clientAt(server.origin, "openai"));
  assert.equal(error.message, "The model's server failed: bad key [API key]");
  assert.equal(error.partial.text, "It is [API key]");
});

Deno.test("the list of models stays with its server", async () => {
  await using other = new RawServer(() => Response.json({ data: [{ id: "m" }] }));
  await using server = new RawServer(() => redirect(302, `${other.origin}/models`));
  assert.equal(await listModels(server.origin, KEY, 5000), undefined);
  assert.deepEqual(other.received, []);
});

Deno.test("a password in the address is a key too", async () => {
  await using server = new RawServer(({ headers }) =>
    new Response(`who is ${headers.authorization}, Secret%201pass or Secret 1pass`, { status: 401 })
  );
  const base_url = server.origin.replace("//", "//me:Secret%201pass@");
  const { message } = await failureOf(openAiClient({ base_url, model: "m" }));
  assert.doesNotMatch(message, /Secret|bWU6/);
});

Deno.test("KeyFragments hides a key however it is cut, and changes nothing else", () => {
  const text = `a ${KEY} b ${KEY.slice(0, 12)} c sk-test ${KEY}${KEY}`;
  const expected = `a [API key] b ${KEY.slice(0, 12)} c sk-test [API key][API key]`;
  for (const size of [1, 2, 3, 7, 27, 28, 29, 200]) {
    const fragments = new KeyFragments([KEY]);
    let told = "";
    for (let at = 0; at < text.length; at += size) {
      told += fragments.push(text.slice(at, at + size));
    }
    assert.equal(told + fragments.rest(), expected, `pieces of ${size}`);
  }
});

Deno.test("placeholders of servers without keys may be said", () => {
  for (const key of ["", "ollama", "lm-studio", "sk-no-key-required"]) {
    const text = `The key is "${key}", of course.`;
    assert.equal(new SentKeys([key], "").inResponse(text), text);
  }
});
