/** Servers that send without end: what came is kept, little is held, and the error is typed. */
import assert from "node:assert/strict";
import { anthropicClient } from "../../../../lib/features/chat/models/anthropic_client.ts";
import { Chat } from "../../../../lib/features/chat/chat.ts";
import type { ModelClient } from "../../../../lib/features/chat/models/model.ts";
import { openAiClient } from "../../../../lib/features/chat/models/openai_client.ts";
import { listModels } from "../../../../lib/features/chat/models/choose_model.ts";
import type { Dialect } from "../../../_support/model_servers.ts";
import {
  type Endless,
  endless,
  endlessGzip,
  RawServer,
  slowly,
  sse,
} from "../../../_support/raw_server.ts";
import { DIALECTS, logOf, seenIn, withScene } from "../_chatting.ts";
import { failureOf } from "./_failure_of.ts";
import { FakeClock } from "./_fake_clock.ts";

const REQUEST = { messages: [{ role: "user" as const, content: "hi" }], tools: [] };
const STREAM = { "content-type": "text/event-stream" };
/** Far more than any test needs to see, far less than a memory holds. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Silence that is borne. */
const IDLE_MS = 60_000;

/** A pause of a server: as soon as its last piece was read, a third of the silence passes. */
function pauseOf(clock: FakeClock): () => Promise<void> {
  return async () => {
    await clock.begun();
    clock.forward(IDLE_MS / 3);
  };
}

function clientAt(origin: string, dialect: Dialect, idle_ms = IDLE_MS): ModelClient {
  return dialect === "openai"
    ? openAiClient({ base_url: origin, model: "m", idle_ms })
    : anthropicClient({ base_url: origin, api_key: "", model: "m", idle_ms });
}

/** Events that bring more text, reasoning or arguments of a call. */
const MORE: Record<Dialect, Record<string, (text: string) => string>> = {
  openai: {
    text: (content) => sse({ choices: [{ delta: { content } }] }),
    reasoning: (reasoning_content) => sse({ choices: [{ delta: { reasoning_content } }] }),
    call: (text) =>
      sse({ choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: text } }] } }] }),
  },
  anthropic: {
    text: (text) => sse({ type: "content_block_delta", delta: { type: "text_delta", text } }),
    reasoning: (thinking) =>
      sse({ type: "content_block_delta", delta: { type: "thinking_delta", thinking } }),
    call: (partial_json) =>
      sse({ type: "content_block_delta", delta: { type: "input_json_delta", partial_json } }),
    signature: (signature) =>
      sse({ type: "content_block_delta", delta: { type: "signature_delta", signature } }),
    redacted: (data) =>
      sse({ type: "content_block_start", content_block: { type: "redacted_thinking", data } }),
  },
};

for (const dialect of DIALECTS) {
  for (const [kind, more] of Object.entries(MORE[dialect])) {
    Deno.test(`an endless ${kind} is stopped, and what came is kept (${dialect})`, async () => {
      const { body, sent } = endless(more(dialect.repeat(10_000)));
      await using server = new RawServer(() => new Response(body, { headers: STREAM }));
      const error = await failureOf(clientAt(server.origin, dialect));
      assert.equal(error.code, "too-long");
      assert.match(error.message, /^The model's answer was stopped: it has more than [\d,]+ char/);
      const { text, reasoning } = error.partial;
      const kept = { text, reasoning }[kind];
      if (kept !== undefined) assert.ok(kept.length > 4_000_000);
      assert.ok(sent() < MOST_BYTES, `${sent()} bytes`);
      assert.equal(error.retryable, false);
    });
  }

  Deno.test(`an endless packed answer is stopped at its unpacked length (${dialect})`, async () => {
    const { body, sent } = endlessGzip(MORE[dialect].text?.("x".repeat(500_000)) ?? "");
    const headers = { ...STREAM, "content-encoding": "gzip" };
    await using server = new RawServer(() => new Response(body, { headers }));
    assert.equal((await failureOf(clientAt(server.origin, dialect))).code, "too-long");
    assert.ok(sent() < MOST_BYTES, `${sent()} bytes`);
  });

  Deno.test(`stretches and calls without end are stopped (${dialect})`, async () => {
    let index = 0;
    const next = (): string => {
      index++;
      return dialect === "openai"
        ? sse({ choices: [{ delta: { tool_calls: [{ index, function: { name: "t" } }] } }] })
        : sse({ type: "content_block_start", index, content_block: { type: "thinking" } });
    };
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) =>
        controller.enqueue(encoder.encode(Array.from({ length: 500 }, next).join(""))),
    });
    await using server = new RawServer(() => new Response(body, { headers: STREAM }));
    assert.equal((await failureOf(clientAt(server.origin, dialect))).code, "too-long");
  });

  Deno.test(`an event that never ends is no answer (${dialect})`, async () => {
    const { body, sent } = endless("x".repeat(100_000), "data: ");
    await using server = new RawServer(() => new Response(body, { headers: STREAM }));
    const error = await failureOf(clientAt(server.origin, dialect));
    assert.ok(["cut-stream", "invalid-response"].includes(error.code), error.code);
    assert.ok(sent() < MOST_BYTES, `${sent()} bytes`);
  });

  const EMPTY = {
    comments: ": still here\n\n",
    pings: sse({ type: "ping" }),
    "empty fragments": MORE[dialect].text?.("") ?? "",
    "half a comment": ": still",
  };
  for (const [name, piece] of Object.entries(EMPTY)) {
    Deno.test(`a stream of ${name} alone does not keep a chat waiting (${dialect})`, async () => {
      using clock = new FakeClock();
      const { body } = slowly(piece, MORE[dialect].text?.("so far") ?? "", pauseOf(clock));
      await using server = new RawServer(() => new Response(body, { headers: STREAM }));
      const error = await failureOf(clientAt(server.origin, dialect));
      assert.equal(error.code, "cut-stream");
      assert.match(error.message, /broke off: it stopped responding$/);
      assert.equal(error.partial.text, "so far");
      assert.ok(clock.time >= 4 * IDLE_MS, `${clock.time}`);
    });
  }

  Deno.test(`keepalives let a slow answer come (${dialect})`, async () => {
    const more = MORE[dialect].text?.("x") ?? "";
    const end = dialect === "openai" ? "data: [DONE]\n\n" : sse({ type: "message_stop" });
    using clock = new FakeClock();
    // Comments for longer than silence would be borne, twice, and for longer than comments alone.
    const pieces = Array.from({ length: 20 }, (_, at) => at % 10 === 9 ? more : ": wait\n\n");
    const { body } = slowly([...pieces, end], more, pauseOf(clock));
    await using server = new RawServer(() => new Response(body, { headers: STREAM }));
    const { text } = await clientAt(server.origin, dialect).complete(REQUEST);
    assert.equal(text, "xxx");
  });

  // Slow: the client gives the end of the stream half a second.
  Deno.test(`a stream that goes on after its answer is left (${dialect})`, async () => {
    const said = MORE[dialect].text?.("all") ?? "";
    const end = dialect === "openai" ? "data: [DONE]\n\n" : sse({ type: "message_stop" });
    const { body } = slowly(sse({ type: "ping" }), said + end);
    await using server = new RawServer(() => new Response(body, { headers: STREAM }));
    const { text } = await clientAt(server.origin, dialect).complete(REQUEST);
    assert.equal(text, "all");
  });
}

/** Refusals whose bodies are not to be read whole. */
function refusalOf({ body }: Endless): Response {
  return new Response(body, { status: 400 });
}

Deno.test("an endless error body is read as far as its message goes", async () => {
  const stream = endless("no ".repeat(10_000));
  await using server = new RawServer(() => refusalOf(stream));
  const error = await failureOf(clientAt(server.origin, "openai"));
  assert.equal(error.code, "refused");
  assert.match(error.message, /^Cannot get an answer from the model: status 400: no no no/);
  assert.ok(error.message.length < 1000);
  assert.ok(stream.sent() < MOST_BYTES, `${stream.sent()} bytes`);
});

Deno.test("an error body that is packed to a thousandth is not unpacked", async () => {
  const { body, sent } = endlessGzip();
  const headers = { "content-encoding": "gzip", "content-type": "text/plain" };
  await using server = new RawServer(() => new Response(body, { status: 500, headers }));
  assert.equal((await failureOf(clientAt(server.origin, "openai"))).code, "server");
  assert.ok(sent() < MOST_BYTES, `${sent()} bytes`);
});

// Slow: the client waits for two seconds, and nothing tells what it has read of the body.
Deno.test("an error body that comes to no end is told as far as it came", async () => {
  const encoder = new TextEncoder();
  let stop: (() => void) | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller): void {
      controller.enqueue(encoder.encode("busy"));
      stop = () => controller.close();
    },
  });
  await using server = new RawServer(() => new Response(body, { status: 503 }));
  const error = await failureOf(clientAt(server.origin, "openai"));
  assert.match(error.message, /status 503: busy$/);
  try {
    stop?.();
  } catch {
    // The client has gone, and with it the stream.
  }
});

Deno.test("a list of models without end is no list", async () => {
  const { body, sent } = endless('{"id":"m"},'.repeat(10_000), '{"data":[');
  await using server = new RawServer(() => new Response(body));
  assert.equal(await listModels(server.origin, undefined, 20_000), undefined);
  assert.ok(sent() < MOST_BYTES, `${sent()} bytes`);
});

Deno.test("a chat keeps what came of an endless answer, and the turn fails in words", async () => {
  const text = "word ".repeat(10_000);
  const { body } = endless(MORE.openai.text?.(text) ?? "");
  await using server = new RawServer(() => new Response(body, { headers: STREAM }));
  const model = clientAt(server.origin, "openai");
  await withScene("openai", [], async ({ options }) => {
    const chat = await Chat.start({ ...options, model });
    assert.equal(await chat.submit("hi"), "failed");
    const [, said, failed] = await seenIn(logOf(chat));
    await chat.close();
    assert.ok(said?.type === "message" && said.content.length > 4_000_000);
    assert.ok(failed !== undefined && JSON.stringify(failed).includes("The model's answer was"));
  });
});
