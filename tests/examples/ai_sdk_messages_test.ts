/** The AI SDK itself takes what toMessages gives it: its schema, and a call with a model that records. */
import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import {
  convertToModelMessages,
  generateText,
  type ModelMessage,
  modelMessageSchema,
  type UIMessage,
  validateUIMessages,
} from "npm:ai@7.0.173";
import { MockLanguageModelV4 } from "npm:ai@7.0.173/test";
import { toMessages } from "../../lib/text/shape/message_shape.ts";
import type { AiSdkMessage } from "../../lib/text/shape/providers/ai_sdk.ts";
import { hostileMessages, PROPERTY_RUNS } from "../_support/hostile_messages.ts";
import { ALL_TORTURE } from "../_support/torture.ts";

const RUNS = ALL_TORTURE ? 200 : 60;

Deno.test("the AI SDK's schema takes every message of any conversation", () => {
  let seen = 0;
  fc.assert(
    fc.property(hostileMessages, (messages) => {
      for (const message of toMessages(messages, "ai-sdk").messages) {
        assert.deepEqual(modelMessageSchema.parse(message), message);
        seen++;
      }
    }),
    PROPERTY_RUNS,
  );
  assert.ok(seen > 2 * PROPERTY_RUNS.numRuns, `only ${seen} messages were looked at`);
});

Deno.test("the AI SDK sends any conversation, with every call and its result", async () => {
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(hostileMessages, async (messages) => {
      const request = toMessages(messages, "ai-sdk");
      const { system, messages: shaped } = request;
      const model = recordingModel();
      await generateText({
        model,
        ...(system === undefined ? {} : { instructions: system }),
        messages: [...asModelMessages(shaped), { role: "user", content: "Go on." }],
      });
      const sent = model.doGenerateCalls[0]?.prompt ?? [];
      assert.equal(sent.length, shaped.length + (system === undefined ? 1 : 2));
      seen += shaped.filter(({ role }) => role === "tool").length;
    }),
    { ...PROPERTY_RUNS, numRuns: RUNS },
  );
  assert.ok(seen > RUNS / 2, `only ${seen} tool messages were sent`);
});

Deno.test("the AI SDK takes any conversation as the messages of a chat, and sends all of it", async () => {
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(hostileMessages, async (conversation) => {
      const { messages }: { messages: UIMessage[] } = toMessages(conversation, "ai-sdk-ui");
      if (messages.length === 0) return;
      assert.deepEqual(await validateUIMessages({ messages }), messages);
      const sent = (await convertToModelMessages(messages)).flatMap(({ content }) =>
        (typeof content === "string" ? [] : content) as { type: string; toolCallId?: string }[]
      );
      const calls = messages.flatMap(({ parts }) =>
        parts.flatMap((part) => part.type === "dynamic-tool" ? [part.toolCallId] : [])
      );
      const ids = (type: string) =>
        sent.filter((part) => part.type === type).map(({ toolCallId }) => toolCallId);
      assert.deepEqual([ids("tool-call"), ids("tool-result")], [calls, calls]);
      seen += calls.length;
    }),
    { ...PROPERTY_RUNS, numRuns: RUNS },
  );
  assert.ok(seen > RUNS / 2, `only ${seen} calls were sent`);
});

/** The compiler's check that our own types fit the SDK's. */
function asModelMessages(messages: AiSdkMessage[]): ModelMessage[] {
  return messages;
}

function recordingModel(): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: "text", text: "Done." }],
      finishReason: { unified: "stop", raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: 1, text: 1, reasoning: undefined },
      },
      warnings: [],
    },
  });
}
