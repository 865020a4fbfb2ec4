import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { decodeEvent } from "../../../lib/core/event/decode.ts";
import { encodeEvent } from "../../../lib/core/event/encode.ts";
import type { Event, NewEvent } from "../../../lib/core/event/envelope.ts";
import { parseExact } from "../../../lib/core/event/exact_json.ts";
import type { Message } from "../../../lib/core/event/message.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { conversation } from "../../../lib/core/projection/conversation/conversation.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { isBlank } from "../../../lib/text/shape/usual/blank_text.ts";
import { fromMessages, plainMessages } from "../../../lib/text/shape/from_messages.ts";
import {
  MessageShaper,
  type RequestShape,
  toMessages,
} from "../../../lib/text/shape/message_shape.ts";
import { SHAPES as RULES } from "../../../lib/text/shape/shapes.ts";
import { memoryStore } from "../../../mod.ts";
import { agentsItem, uiMessage } from "../../_support/histories.ts";
import {
  agentsRequests,
  aiSdkRequests,
  anthropicRequests,
  bedrockRequests,
  geminiRequests,
  openAiRequests,
  plain,
  responsesRequests,
  uiRequests,
} from "../../_support/requests.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";
import { namesIn, recordsOf, textOf } from "./_testdata.ts";

const REQUESTS: Record<RequestShape, fc.Arbitrary<Record<string, unknown>>> = {
  openai: openAiRequests,
  anthropic: anthropicRequests,
  "ai-sdk": aiSdkRequests,
  "openai-responses": responsesRequests,
  gemini: geminiRequests,
  bedrock: bedrockRequests,
  "ai-sdk-ui": uiRequests,
  "openai-agents": agentsRequests,
};
const SHAPES = Object.keys(REQUESTS) as RequestShape[];
const RUNS = { numRuns: ALL_TORTURE ? 80 : 30, seed: 51 };

/** The conversation that events are folded to once they were written and read. */
function folded(events: readonly NewEvent[]): Message[] {
  const read = events.flatMap((event, index) => {
    const line = encodeEvent({ ...event, seq: index + 1 } as Event);
    return decodeEvent(parseExact(new TextDecoder().decode(line))) ?? [];
  });
  assert.deepEqual(read.map(({ form }) => form), read.map(() => "known"));
  const { messages, findings } = foldEvents(conversation({ reasoning: "include" }), read);
  assert.deepEqual(findings, []);
  return messages;
}

const REFUSES_BLANK: ReadonlySet<RequestShape> = new Set(["anthropic", "bedrock"] as const);

function isBlankBlock(block: unknown): boolean {
  if (typeof block === "string") return isBlank(block);
  const { type = "text", text, ...more } = block as { type?: string; text?: unknown };
  return type === "text" && typeof text === "string" && isBlank(text) &&
    Object.keys(more).length === 0;
}

/** Leaves out answers without content and blank texts, which no provider takes in a request. */
function sayingTo<Request extends object>(shape: RequestShape): (request: Request) => Request {
  const filled = (content: unknown): unknown => {
    if (!REFUSES_BLANK.has(shape)) return content;
    if (Array.isArray(content)) return content.filter((block) => !isBlankBlock(block));
    return typeof content === "string" && isBlank(content) ? "" : content;
  };
  return (request) => {
    const { messages } = request as { messages?: unknown };
    if (!Array.isArray(messages)) return request;
    const said = messages.map((message) =>
      message.role === "assistant" && message.content !== undefined
        ? { ...message, content: filled(message.content) }
        : message
    ).filter(({ role, content, ...more }) =>
      role !== "assistant" || content === undefined || more.tool_calls !== undefined ||
      more.reasoning_content !== undefined || (content !== null && content.length > 0)
    );
    return { ...request, messages: said };
  };
}

for (const shape of SHAPES) {
  Deno.test(`a request of ${shape} comes back as it was`, () => {
    let seen = 0;
    fc.assert(
      fc.property(REQUESTS[shape].map(plain).map(sayingTo(shape)), (request) => {
        const before = structuredClone(JSON.stringify(request));
        const messages = folded(fromMessages(shape, request));
        assert.deepEqual(toMessages(messages, shape), request);
        assert.equal(JSON.stringify(request), before);
        seen += messages.length;
        // And bit by bit, as a session that goes on converts it.
        const shaper = new MessageShaper(shape);
        const list: unknown[] = [];
        for (const message of messages) if (message.role !== "assistant") list.push(message);
        const shaped = [...shaper.add(messages), ...shaper.copy().end()];
        assert.deepEqual(shaped, request[shaper.list]);
      }),
      RUNS,
    );
    assert.ok(seen > 1.8 * RUNS.numRuns, `${seen}`);
  });
}

for (const shape of SHAPES) {
  Deno.test(`a request of ${shape} goes on in the form of every other shape`, () => {
    fc.assert(
      fc.property(REQUESTS[shape].map(plain), (request) => {
        const messages = folded(fromMessages(shape, request));
        for (const other of SHAPES) {
          if (other === shape) continue;
          const text = JSON.stringify(toMessages(messages, other));
          assert.doesNotMatch(
            text,
            /provider_data|encrypted_content|cachePoint|server_tool_use|executableCode/,
          );
        }
      }),
      { ...RUNS, numRuns: 8 },
    );
  });
}

for (const shape of SHAPES) {
  Deno.test(`a request of ${shape} comes back from our own messages`, () => {
    fc.assert(
      fc.property(REQUESTS[shape].map(plain).map(sayingTo(shape)), (request) => {
        const payload = { messages: plainMessages(shape, request), reason: "test" };
        const messages = folded([{ kind: "conversation_replaced", payload }]);
        assert.deepEqual(toMessages(messages, shape), request);
        assert.deepEqual(messages, folded(fromMessages(shape, request)));
      }),
      { ...RUNS, numRuns: 40 },
    );
  });
}

const HISTORIES: [RequestShape, fc.Arbitrary<unknown[]>][] = [
  ["openai-agents", fc.array(agentsItem, { maxLength: 8 })],
  ["ai-sdk-ui", fc.array(uiMessage, { maxLength: 3 })],
];

for (const [shape, histories] of HISTORIES) {
  Deno.test(`a history of ${shape} comes back in any state, whole and step by step`, async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.nat(8), async (history, first) => {
        const list = plain(history);
        const { list: name } = RULES[shape];
        assert.deepEqual(toMessages(plainMessages(shape, list), shape), { [name]: list });
        await using session = memoryStore().create({ cwd: "/work" });
        await session.appendAll(fromMessages(shape, list.slice(0, first), {
          before: [],
        }));
        const { messages: before } = await session.conversation();
        await session.appendAll(fromMessages(shape, list.slice(first), { before }));
        assert.deepEqual(await session.request(shape), { [name]: list });
      }),
      { numRuns: ALL_TORTURE ? 300 : 75, seed: 54 },
    );
  });
}

Deno.test("a step's new messages settle calls of earlier events", () => {
  const call = { type: "tool_use", id: "c1", name: "read", input: {} };
  const asked = [{ role: "user", content: "Go" }, { role: "assistant", content: [call] }];
  const result = { type: "tool_result", tool_use_id: "c1", content: "one", cache_control: null };
  const answered = [{ role: "user", content: [result, { type: "text", text: "Well?" }] }];
  const events = [...fromMessages("anthropic", asked), ...fromMessages("anthropic", answered)];
  const messages = folded(events);
  assert.deepEqual(toMessages(messages, "anthropic"), { messages: [...asked, ...answered] });
  assert.deepEqual(toMessages(messages, "openai").messages.map(({ role }) => role), [
    "user",
    "assistant",
    "tool",
    "user",
  ]);
});

Deno.test("a session gives back the messages that were appended step by step", async () => {
  const [first = {}, second = {}] = fc.sample(anthropicRequests, { numRuns: 2, seed: 7 }).map(
    plain,
  );
  const { system: _, ...next } = second;
  await using session = memoryStore().create({ cwd: "/work" });
  assert.deepEqual(await session.appendAll(fromMessages("anthropic", [])), []);
  await session.appendAll(fromMessages("anthropic", first));
  assert.deepEqual(await session.request("anthropic"), first);
  await session.appendAll(fromMessages("anthropic", next));
  const messages = [...first.messages as unknown[], ...next.messages as unknown[]];
  assert.ok(messages.length > 3);
  assert.deepEqual(await session.request("anthropic"), { ...first, messages });
});

Deno.test("messages that came in a shape stand among others", () => {
  const call = { type: "tool_use", id: "c 1", name: "read", input: {} };
  const events: NewEvent[] = [
    { kind: "user_message", payload: { content: "Go" } },
    ...fromMessages("anthropic", [{ role: "assistant", content: [call] }], { model: "m" }),
    { kind: "tool_end", payload: { call_id: "c 1", name: "read", status: "error", error: "no" } },
    { kind: "user_message", payload: { content: "Well?" } },
  ];
  assert.equal((events[1]?.payload as { model?: string }).model, "m");
  assert.deepEqual(toMessages(folded(events), "anthropic").messages, [
    { role: "user", content: [{ type: "text", text: "Go" }] },
    { role: "assistant", content: [call] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c 1", content: "no", is_error: true },
        { type: "text", text: "Well?" },
      ],
    },
  ]);
});

Deno.test("stores only the difference", () => {
  const text = { type: "text", text: "Long text", cache_control: { type: "ephemeral" } };
  const [event] = fromMessages("anthropic", [{ role: "user", content: [text] }]);
  assert.deepEqual(event?.payload, {
    content: [{
      type: "text",
      text: "Long text",
      provider_data: { shape: "anthropic", rest: { cache_control: { type: "ephemeral" } } },
    }],
    provider_data: { shape: "anthropic" },
  });
});

interface Refused {
  shape: RequestShape;
  messages: unknown;
  message: string;
}

const REFUSED: readonly Refused[] = [
  ...recordsOf<Refused>("refused.jsonl"),
  {
    shape: "ai-sdk",
    messages: [{ role: "user", content: [{ type: "text", text: 1n }] }],
    message: "messages[0].content[0].text is a bigint",
  },
  {
    shape: "ai-sdk",
    messages: [{ role: "user", content: "", providerOptions: { at: new Date(0) } }],
    message: "messages[0].providerOptions.at is not a JSON value",
  },
];

for (const { shape, messages, message } of REFUSED) {
  Deno.test(`rejects invalid messages of ${shape} with their place: ${message}`, () => {
    assert.throws(() => fromMessages(shape, messages), (error) => {
      assert.ok(error instanceof SessionError);
      assert.equal(error.code, "invalid-event");
      assert.equal(error.message, `Cannot convert messages: ${message}`);
      return true;
    });
  });
}

Deno.test("our own messages of a result without a call are refused", () => {
  const result = { role: "tool", tool_call_id: "gone", content: "" };
  assert.throws(() => plainMessages("openai", [result]), {
    code: "invalid-event",
    message: /the result of call "gone" does not come after the call/,
  });
});

Deno.test("two calls of one id in a response are refused, and values that hold themselves", () => {
  const call = { type: "tool_use", id: "c", name: "read", input: {} };
  const message = { role: "assistant", content: [call, call] };
  assert.throws(
    () => fromMessages("anthropic", [message]),
    /content\[1\] has the id "c", but an earlier tool call of the same answer/,
  );
  const ring: Record<string, unknown> = { role: "user", content: "" };
  ring.self = ring;
  assert.throws(() => fromMessages("openai", [ring]), /messages\[0\]\.self contains itself/);
});

/** As the providers' documentation shows them: what a next request must hold byte by byte. */
for (const name of namesIn("documented")) {
  const shape = name.replace(".json", "") as RequestShape;
  const { proves, ...request } = JSON.parse(textOf(`documented/${name}`));
  Deno.test(`a documented request of ${shape} comes back as it was: ${proves}`, () => {
    const messages = folded(fromMessages(shape, request));
    assert.deepEqual(toMessages(messages, shape), request);
    // What everybody can read is in our own fields, for the transcript and for other shapes.
    const calls = messages.flatMap(({ content }) => typeof content === "string" ? [] : content)
      .filter(({ type }) => type === "tool_call" || type === "tool_result");
    assert.ok(calls.length >= 2 && calls.length % 2 === 0);
  });
}

Deno.test("fromMessages keeps role and content of a whole response, and records its usage", async () => {
  const content = [{ type: "text", text: "Hello" }];
  const response = {
    ...{ id: "msg_1", type: "message", role: "assistant", model: "claude", content },
    ...{
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 100, output_tokens: 2 },
    },
  };
  const session = memoryStore().create({ cwd: "/w" });
  await session.turn().user("hi");
  await session.appendAll(fromMessages("anthropic", [response], { cost_usd: 0.5 }));
  const { messages } = await session.request("anthropic");
  assert.deepEqual(messages[1], { role: "assistant", content });
  const { usage, cost_usd, models } = session.summary;
  assert.deepEqual([usage, cost_usd, models], [{ input: 100, output: 2 }, 0.5, ["claude"]]);
});

Deno.test("an answer without content is in no later request", async () => {
  const answers = {
    anthropic: { role: "assistant", content: [] },
    openai: { role: "assistant", content: null },
  } as const;
  for (const shape of ["anthropic", "openai"] as const) {
    const session = memoryStore().create({ cwd: "/home/ada/src" });
    await session.turn().user("One");
    await session.appendAll(fromMessages(shape, [answers[shape]]));
    await session.turn().user("Two");
    for (const to of ["anthropic", "openai"] as const) {
      const { messages } = await session.request(to);
      assert.ok(messages.every(({ role }) => role === "user"), `${shape} ${to}`);
      assert.match(JSON.stringify(messages), /One.*Two/);
    }
    await session.release();
  }
});

Deno.test("results of texts are strings for OpenAI, whatever form the answer came in", async () => {
  const session = memoryStore().create({ cwd: "/home/ada/src" });
  const turn = session.turn();
  await turn.user("One");
  const call = (id: string) =>
    ({ type: "function", id, function: { name: "read", arguments: "{}" } }) as const;
  const tool_calls = [call("c1"), call("c2"), call("c3")];
  await turn.appendAll(fromMessages("openai", [{ role: "assistant", content: null, tool_calls }]));
  await turn.result("c1", { json: { a: 1 } });
  await turn.result("c2", { output: [{ type: "text", text: "a" }, { type: "text", text: "b" }] });
  const own = { role: "tool", tool_call_id: "c3", content: [{ type: "text", text: "c" }] };
  const { messages: before } = await session.conversation();
  await session.appendAll(fromMessages("openai", [own], { before }));
  const { messages } = await session.request("openai");
  const results: unknown[] = messages.slice(2).map(({ content }) => content);
  assert.deepEqual(results, ['{"a":1}', "a\nb", own.content]);
  await session.release();
});

Deno.test("openai: images of results follow in a message of the user, behind a kept answer, too", async () => {
  const session = memoryStore().create({ cwd: "/home/ada/src" });
  const turn = session.turn();
  await turn.user("Look");
  const tool_calls = ["c1", "c2", "c3"].map((id) => ({
    id,
    type: "function" as const,
    function: { name: "shot", arguments: "{}" },
  }));
  await turn.appendAll(fromMessages("openai", [{ role: "assistant", content: null, tool_calls }]));
  const image = { type: "image" as const, media_type: "image/png", data: "aGk=" };
  await turn.result("c2", { output: [{ type: "text", text: "800x600" }, image] });
  await turn.result("c1", { output: [image] });
  await turn.result("c3", { output: [{ ...image, media_type: "image/x-odd" }] });
  const { messages } = await session.request("openai");
  assert.deepEqual(messages.slice(2), [
    { role: "tool", tool_call_id: "c1", content: "(see attached image)" },
    { role: "tool", tool_call_id: "c2", content: "800x600" },
    { role: "tool", tool_call_id: "c3", content: "[image: image/x-odd]" },
    {
      role: "user",
      content: [
        { type: "text", text: "Attached image(s) from tool result:" },
        ...Array(2).fill({
          type: "image_url",
          image_url: { url: "data:image/png;base64,aGk=" },
        }),
      ],
    },
  ]);
  await session.turn().user("And?");
  const next = (await session.request("openai")).messages;
  assert.deepEqual(next.map(({ role }) => role).slice(2), ["tool", "tool", "tool", "user", "user"]);
});
