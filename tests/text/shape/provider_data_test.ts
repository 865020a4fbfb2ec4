/** What has a field of ours is in it; what has none is kept beside it, and goes back. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Message, Output } from "../../../lib/core/event/message.ts";
import { fromMessages } from "../../../lib/text/shape/from_messages.ts";
import { type RequestShape, toMessages } from "../../../lib/text/shape/message_shape.ts";
import { memoryStore } from "../../../mod.ts";

type Members = Record<string, unknown>;

const PNG = "iVBORw0KGgo=";
const IMAGE = { type: "image", media_type: "image/png", data: PNG };
const JSON_PART = { type: "json", value: { a: 1 } };

/** A response of a shape with one call, whose result is given. */
type Answer = (output: unknown) => Members[];

const ANSWERS: Partial<Record<RequestShape, Answer>> = {
  anthropic: (content) => [
    { role: "assistant", content: [{ type: "tool_use", id: "c", name: "see", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content }] },
  ],
  "ai-sdk": (output) => {
    const call = { toolCallId: "c", toolName: "see" };
    return [
      { role: "assistant", content: [{ type: "tool-call", ...call, input: {} }] },
      { role: "tool", content: [{ type: "tool-result", ...call, output }] },
    ];
  },
  "openai-responses": (output) => [
    { type: "function_call", call_id: "c", name: "see", arguments: "{}" },
    { type: "function_call_output", call_id: "c", output },
  ],
  gemini: (response) => [
    { role: "model", parts: [{ functionCall: { id: "c", name: "see", args: {} } }] },
    { role: "user", parts: [{ functionResponse: { id: "c", name: "see", response } }] },
  ],
  bedrock: (content) => [
    { role: "assistant", content: [{ toolUse: { toolUseId: "c", name: "see", input: {} } }] },
    { role: "user", content: [{ toolResult: { toolUseId: "c", content } }] },
  ],
  "ai-sdk-ui": (output) => {
    const call = { type: "tool-see", toolCallId: "c", state: "output-available", input: {} };
    return [{ id: "m1", role: "assistant", parts: [{ ...call, output }] }];
  },
  "openai-agents": (output) => [
    { type: "function_call", callId: "c", name: "see", arguments: "{}" },
    { type: "function_call_result", callId: "c", name: "see", status: "completed", output },
  ],
};

const bytes = new Uint8Array(Buffer.from(PNG, "base64"));
const image = { type: "input_image", image_url: `data:image/png;base64,${PNG}` };
const OUTPUTS: [RequestShape, unknown, Output | Members[]][] = [
  ["anthropic", "one", "one"],
  ["anthropic", [{
    type: "image",
    source: { type: "base64", media_type: "image/png", data: PNG },
  }], [IMAGE]],
  ["ai-sdk", { type: "text", value: "one" }, "one"],
  ["ai-sdk", { type: "json", value: { a: 1 } }, [JSON_PART]],
  ["ai-sdk", {
    type: "content",
    value: [{ type: "file-data", mediaType: "image/png", data: PNG }],
  }, [IMAGE]],
  ["openai-responses", "one", "one"],
  ["openai-responses", [image], [IMAGE]],
  ["gemini", { output: "one" }, "one"],
  ["gemini", { a: 1 }, [JSON_PART]],
  ["bedrock", [{ json: { a: 1 } }], [JSON_PART]],
  ["bedrock", [{ image: { format: "png", source: { bytes } } }], [IMAGE]],
  ["ai-sdk-ui", "one", "one"],
  ["ai-sdk-ui", { a: 1 }, [JSON_PART]],
  ["openai-agents", { type: "text", text: "one" }, "one"],
  ["openai-agents", { type: "image", image: { data: PNG, mediaType: "image/png" } }, [IMAGE]],
];

Deno.test("results of text, values and images are in fields of ours, and go back", () => {
  for (const [shape, output, ours] of OUTPUTS) {
    const messages = ANSWERS[shape]?.(output) ?? [];
    const end = fromMessages(shape, messages).find(({ kind }) => kind === "tool_end");
    const { output: read } = end?.payload as { output: Output };
    const parts = typeof read === "string" ? read : read.map((part) => {
      const names = part.type === "json" ? ["type", "value"] : ["type", "media_type", "data"];
      return Object.fromEntries(Object.entries(part).filter(([name]) => names.includes(name)));
    });
    assert.deepEqual(parts, ours, shape);
  }
});

Deno.test("a result of text, a value and an image reaches every shape", () => {
  const result = { call_id: "c", name: "see", status: "ok" as const };
  const output = [
    { type: "text" as const, text: "one" },
    { type: "json" as const, value: { two: 2 } },
    { ...IMAGE, type: "image" as const, sha256: "", bytes: 8 },
  ];
  const messages: Message[] = [
    { role: "user", content: "Look" },
    { role: "assistant", content: [{ type: "tool_call", call_id: "c", name: "see", input: {} }] },
    { role: "tool", content: [{ type: "tool_result", ...result, output }] },
  ];
  for (const shape of ["openai", ...Object.keys(ANSWERS)] as RequestShape[]) {
    const request = JSON.stringify(
      toMessages(messages, shape),
      (_, value) => value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
    );
    for (const told of ["one", "two", PNG]) assert.ok(request.includes(told), `${shape}: ${told}`);
  }
});

Deno.test("a request has the model's reasoning unless it is left out", async () => {
  await using session = memoryStore().create({ cwd: "/home/ada/src" });
  const turn = session.turn();
  await turn.user("Look");
  const reasoning = [{ text: "Hm", provider_data: { signature: "c2ln" } }];
  await turn.assistant({ reasoning, calls: [{ id: "c", name: "see", input: {} }] });
  await turn.result("c", { output: "one" });
  const thinking = { type: "thinking", thinking: "Hm", signature: "c2ln" };
  const { messages } = await session.request("anthropic");
  assert.deepEqual((messages[1]?.content as unknown[])[0], thinking);
  const said = JSON.stringify(await session.request("ai-sdk-ui"));
  assert.match(said, /"reasoning","text":"Hm","providerMetadata":\{"anthropic":\{"signature"/);
  assert.match(JSON.stringify(await session.conversation()), /"reasoning"/);
  const without = await session.request("anthropic", { reasoning: "omit" });
  assert.doesNotMatch(JSON.stringify(without), /thinking/);
});

/** Messages with what only their provider knows, and where the event keeps it. */
const KEPT: [RequestShape, string, Members[], RegExp][] = [
  ["gemini", "a call's thought signature", [{
    role: "model",
    parts: [{ functionCall: { name: "f", args: {} }, thoughtSignature: "SECRET" }],
  }], /"tool_call".*"provider_data":\{.*"rest":\{"thoughtSignature":"SECRET"\}/],
  ["openai-responses", "ids and encrypted reasoning", [
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "SECRET" },
    { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [] },
  ], /"reasoning","text":"","provider_data":\{.*"id":"rs_1","encrypted_content":"SECRET"/],
  ["anthropic", "cache control", [{
    role: "user",
    content: [{ type: "text", text: "Hi", cache_control: { type: "SECRET" } }],
  }], /"text":"Hi","provider_data":\{.*"rest":\{"cache_control":\{"type":"SECRET"\}\}/],
  ["openai-agents", "a call's provider data", [{
    type: "function_call",
    callId: "c",
    name: "f",
    arguments: "{}",
    providerData: { id: "SECRET" },
  }], /"rest":\{"providerData":\{"id":"SECRET"\}\}/],
];

for (const [shape, what, messages, place] of KEPT) {
  Deno.test(`${shape}: ${what} is kept on its part, and sent to no other provider`, async () => {
    await using session = memoryStore().create({ cwd: "/home/ada/src" });
    const events = fromMessages(shape, messages);
    assert.match(JSON.stringify(events), place);
    await session.appendAll(events);
    assert.match(JSON.stringify(await session.request(shape)), /SECRET/);
    for (const other of ["openai", ...Object.keys(ANSWERS)] as RequestShape[]) {
      if (other === shape) continue;
      assert.doesNotMatch(JSON.stringify(await session.request(other)), /SECRET/, other);
    }
  });
}

Deno.test("a text is stored once, whatever its provider says of it", () => {
  const text = "What is said";
  const mark = { a: 1 };
  const said: [RequestShape, Members][] = [
    ["anthropic", { role: "user", content: [{ type: "text", text, cache_control: mark }] }],
    ["openai", { role: "user", content: [{ type: "text", text, extra: mark }] }],
    ["openai-responses", {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text, annotations: [mark], logprobs: [] }],
    }],
    ["openai-agents", {
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text, providerData: mark }],
    }],
    ["openai-agents", { type: "reasoning", content: [{ type: "input_text", text, extra: mark }] }],
    ["gemini", { role: "model", parts: [{ text, thoughtSignature: "s" }] }],
    ["ai-sdk", { role: "user", content: [{ type: "text", text, providerOptions: mark }] }],
    ["ai-sdk-ui", { id: "m", role: "user", parts: [{ type: "text", text, state: "done" }] }],
  ];
  for (const [shape, message] of said) {
    const events = JSON.stringify(fromMessages(shape, [message]));
    assert.equal(events.split(text).length, 2, events);
  }
});

const TEXTS = ["First.", "Second.\n\nStill the second.", "Third."];

for (
  const [shape, thought, answer] of [
    ["openai-responses", {
      type: "reasoning",
      id: "ITEM",
      summary: TEXTS.map((text) => ({ type: "summary_text", text })),
      encrypted_content: "x",
    }, {
      id: "ITEM",
      role: "assistant",
      content: [
        { type: "output_text", text: TEXTS[0], annotations: [] },
        { type: "output_text", text: TEXTS[1], annotations: [{ a: 1 }] },
        { type: "refusal", refusal: "No." },
        { type: "output_text", text: TEXTS[2], annotations: [], logprobs: [] },
      ],
      status: "incomplete",
    }],
    ["openai-agents", {
      type: "reasoning",
      id: "ITEM",
      content: TEXTS.map((text) => ({ type: "input_text", text })),
    }, {
      id: "ITEM",
      role: "assistant",
      status: "incomplete",
      content: [
        { type: "output_text", text: TEXTS[0] },
        { type: "output_text", text: TEXTS[1], providerData: { a: 1 } },
        { type: "refusal", refusal: "No." },
        { type: "output_text", text: TEXTS[2] },
      ],
    }],
  ] as const
) {
  Deno.test(`${shape}: each text of an item of several is stored once, and comes back`, async () => {
    await using session = memoryStore().create({ cwd: "/home/ada/src" });
    const items = [{ role: "user", content: "Go" }, thought, answer, thought, answer];
    const events = fromMessages(shape, items);
    const stored = JSON.stringify(events);
    for (const word of ["First", "Still", "Third", "ITEM"]) {
      assert.equal(stored.split(word).length, 5, stored);
    }
    await session.appendAll(events);
    assert.deepEqual(Object.values(await session.request(shape)), [items]);
    const { messages } = await session.request("openai");
    assert.equal(messages[1]?.content, [...TEXTS, ...TEXTS].join("\n\n"));
  });
}

Deno.test("a blank result of an answer in its own form says what became of its call", async () => {
  for (const [shape, answer] of Object.entries(ANSWERS) as [RequestShape, Answer][]) {
    // There, a call and its result are one part.
    if (shape === "ai-sdk-ui") continue;
    const store = memoryStore();
    for (const status of ["skipped", "interrupted", "error", "ok"] as const) {
      const session = store.create({ cwd: "/home/ada/src" });
      const turn = session.turn();
      await turn.user("Go");
      await session.appendAll(fromMessages(shape, answer("").slice(0, 1)));
      await turn.result("c", { status });
      const said = { error: "the call failed", ok: "no output" };
      const words = status === "error" || status === "ok" ? said[status] : `the call was ${status}`;
      assert.ok(JSON.stringify(await session.request(shape)).includes(words), `${shape} ${status}`);
    }
  }
});

Deno.test("a blank text of an answer in its own form is not sent, and the rest of the answer is", async () => {
  const text = (shape: RequestShape): Members =>
    shape === "bedrock" ? { text: " \n" } : {
      type: "text",
      text: " \n",
    };
  for (const shape of ["anthropic", "bedrock"] as const) {
    const session = memoryStore().create({ cwd: "/home/ada/src" });
    const [call, result] = ANSWERS[shape]?.([{ ...text(shape), text: "seen" }]) ?? [];
    const asked = { role: "user", content: [{ ...text(shape), text: "Go" }] };
    const blank = { role: "assistant", content: [text(shape)] };
    const beside = { ...call, content: [text(shape), ...call?.content as Members[]] };
    const messages = [asked, blank, asked, beside, result];
    await session.appendAll(fromMessages(shape, messages));
    const sent = JSON.stringify(await session.request(shape));
    assert.deepEqual([sent.includes(JSON.stringify(" \n")), sent.includes("seen")], [false, true]);
    assert.equal(sent.split('"assistant"').length, 2);
  }
});
