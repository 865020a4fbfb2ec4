import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { outputText } from "../../../lib/core/event/audience.ts";
import type {
  Message,
  Part,
  ToolCallPart,
  ToolResultPart,
} from "../../../lib/core/event/message.ts";
import {
  pairCalls,
  UNSETTLED_OUTPUT,
} from "../../../lib/core/projection/conversation/paired_messages.ts";
import {
  MESSAGE_SHAPES,
  type MessageShape,
  MessageShaper,
  type RequestShape,
  toMessages,
} from "../../../lib/text/shape/message_shape.ts";
import { hostileMessages, PROPERTY_RUNS } from "../../_support/hostile_messages.ts";
import {
  agentsFaults,
  aiSdkFaults,
  anthropicFaults,
  bedrockFaults,
  geminiFaults,
  openAiFaults,
  plainFaults,
  responsesFaults,
  uiFaults,
} from "../../_support/provider_rules.ts";

const FAULTS: Record<MessageShape, (request: unknown) => string[]> = {
  plain: plainFaults,
  openai: openAiFaults,
  anthropic: anthropicFaults,
  "ai-sdk": aiSdkFaults,
  "openai-responses": responsesFaults,
  gemini: geminiFaults,
  bedrock: bedrockFaults,
  "ai-sdk-ui": uiFaults,
  "openai-agents": agentsFaults,
};

for (const shape of MESSAGE_SHAPES) {
  Deno.test(`toMessages gives ${shape} what its rules allow, whatever the conversation`, () => {
    fc.assert(
      fc.property(hostileMessages, (messages) => {
        const before = structuredClone(messages);
        const request = toMessages(messages, shape);
        assert.deepEqual(messages, before, "the input was changed");
        const json = JSON.parse(JSON.stringify(request));
        assert.deepEqual(FAULTS[shape](json), []);
        // What was valid in memory must not be lost on the way to the server.
        assert.equal(JSON.stringify(json), JSON.stringify(request));
      }),
      PROPERTY_RUNS,
    );
  });

  Deno.test(`toMessages keeps for ${shape} every call, outcome and word that can be sent`, () => {
    fc.assert(
      fc.property(hostileMessages, (messages) => {
        const strings = stringsOf(toMessages(messages, shape));
        const all = strings.join("\u0000");
        for (const output of outputsOf(messages)) {
          assert.ok(strings.includes(output), `lost: ${JSON.stringify(output)}`);
        }
        for (const word of wordsOf(messages)) {
          assert.ok(all.includes(withoutEndSpace(word)), `lost: ${JSON.stringify(word)}`);
        }
        assert.equal(callCount(toMessages(messages, shape)), callCount(messages));
      }),
      PROPERTY_RUNS,
    );
  });

  Deno.test(`toMessages gives for ${shape} nothing when nothing can be sent`, () => {
    const request = toMessages([], shape);
    assert.deepEqual(Object.values(Array.isArray(request) ? { request } : request), [[]]);
  });

  Deno.test(`toMessages keeps for ${shape} what it gave before when the conversation goes on`, () => {
    const turn: Message[] = [
      { role: "user", content: "Go" },
      { role: "assistant", content: [callPart("same id"), callPart("same id")] },
      { role: "tool", content: [resultPart("same id"), resultPart("same id")] },
      { role: "assistant", content: "Done." },
    ];
    const before = shapedList([...turn, ...turn, ...turn, ...turn], shape);
    const after = shapedList([...turn, ...turn, ...turn, ...turn, ...turn], shape);
    assert.ok(before.length >= 8);
    assert.deepEqual(after.slice(0, before.length), before);
  });
}

Deno.test("toMessages gives plain messages that are paired, well-formed and new", () => {
  const messages: Message[] = [
    { role: "assistant", content: [{ ...callPart("c\ud800"), input: { "k\ud800": ["\udc00"] } }] },
    { role: "user", content: "a\ud800b" },
  ];
  assert.deepEqual(toMessages(messages, "plain"), [
    {
      role: "assistant",
      content: [{ ...callPart("c\ufffd"), input: { "k\ufffd": ["\ufffd"] } }],
    },
    {
      role: "tool",
      content: [{ ...resultPart("c\ufffd"), status: "error", output: UNSETTLED_OUTPUT }],
    },
    { role: "user", content: "a\ufffdb" },
  ]);
});

Deno.test("toMessages shares no object with its input", () => {
  const part = callPart("c1");
  const [message] = toMessages([{ role: "assistant", content: [part] }], "plain");
  (message?.content as Part[]).length = 0;
  part.input.path = "other";
  assert.deepEqual(part, { ...callPart("c1"), input: { path: "other" } });
  const anthropic = toMessages([{ role: "assistant", content: [part] }], "anthropic");
  part.input.path = "third";
  assert.match(JSON.stringify(anthropic), /other/);
});

function callPart(call_id: string): ToolCallPart & { input: { path: string } } {
  return { type: "tool_call", call_id, name: "read", input: { path: "a.ts" } };
}

function resultPart(call_id: string): ToolResultPart {
  return {
    type: "tool_result",
    call_id,
    name: "read",
    status: "ok",
    output: "x",
  };
}

function shapedList(messages: Message[], shape: MessageShape): unknown[] {
  const request = toMessages(messages, shape);
  if (Array.isArray(request)) return request;
  return Object.values(request).find((value) => Array.isArray(value)) ?? [];
}

/** What was said, in any role that may say it. */
function wordsOf(messages: Message[]): string[] {
  return messages.filter(({ role }) => role !== "tool").flatMap(({ content }) => {
    if (typeof content === "string") return [content];
    return content.flatMap((part) => part.type === "text" ? [part.text] : []);
  }).map((word) => word.toWellFormed());
}

/** What the calls gave, where it can be seen. */
function outputsOf(messages: Message[]): string[] {
  return pairCalls(messages).flatMap(({ content }) => {
    if (typeof content === "string") return [];
    return content.flatMap((part) => part.type === "tool_result" ? [outputText(part.output)] : []);
  }).map((output) => output.toWellFormed()).filter((output) => withoutEndSpace(output) !== "");
}

function withoutEndSpace(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\s\x1c-\x1f\x85]+$/, "");
}

/** Every text in a value, however deep. */
function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

/** Calls in messages of any shape, told by the words each shape has for them. */
function callCount(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const { type, role } = value as Record<string, unknown>;
  if (
    typeof type === "string" &&
    ["tool_call", "function", "function_call", "tool_use", "tool-call", "dynamic-tool"].includes(
      type,
    )
  ) {
    return 1;
  }
  if ("functionCall" in value || "toolUse" in value) return 1;
  if (typeof role === "string" && role !== "assistant" && role !== "model") return 0;
  return Object.values(value).reduce((sum: number, member) => sum + callCount(member), 0);
}

const SHAPES: readonly RequestShape[] = [
  "openai",
  "anthropic",
  "ai-sdk",
  "openai-responses",
  "gemini",
  "bedrock",
  "ai-sdk-ui",
  "openai-agents",
];

/** Batches of so many messages; a result stays with its call. */
function batchesOf(messages: readonly Message[], size: number): Message[][] {
  const batches: Message[][] = [[]];
  for (const message of messages) {
    const last = batches.at(-1) ?? [];
    if (last.length < size || message.role === "tool") last.push(message);
    else batches.push([message]);
  }
  return batches;
}

function shaped(shape: RequestShape, batches: readonly Message[][]): unknown {
  const shaper = new MessageShaper(shape);
  const messages = [...batches.flatMap((batch) => shaper.add(batch)), ...shaper.end()];
  const { system, list } = shaper;
  return { ...(system === undefined ? {} : { [system.name]: system.value }), [list]: messages };
}

for (const shape of SHAPES) {
  Deno.test(`MessageShaper gives for ${shape} what toMessages gives, in batches of any size`, () => {
    fc.assert(
      fc.property(hostileMessages, fc.integer({ min: 1, max: 4 }), (messages, size) => {
        const batches = batchesOf(pairCalls(messages), size);
        const before = structuredClone(batches);
        const whole = toMessages(messages, shape);
        assert.equal(JSON.stringify(shaped(shape, batches)), JSON.stringify(whole));
        assert.deepEqual(batches, before, "the input was changed");
      }),
      PROPERTY_RUNS,
    );
  });

  Deno.test(`MessageShaper gives for ${shape} all but the last messages as they come`, () => {
    const shaper = new MessageShaper(shape);
    let given = 0;
    // Of a chat's user interface, all between two prompts is one message.
    const each = shape === "ai-sdk-ui" ? 2 : 4;
    for (let turn = 1; turn <= 50; turn++) {
      const call = { type: "tool_call" as const, call_id: `c${turn}`, name: "read", input: {} };
      const result = { call_id: call.call_id, name: "read", status: "ok" as const, output: "x" };
      given += shaper.add([
        { role: "user", content: `Prompt ${turn}` },
        { role: "assistant", content: [call] },
        { role: "tool", content: [{ type: "tool_result", ...result }] },
        { role: "assistant", content: "Done." },
      ]).length;
      assert.ok(given >= each * (turn - 2), `${given} of ${each * turn}`);
    }
    assert.equal(given + shaper.end().length, 50 * each);
  });
}
