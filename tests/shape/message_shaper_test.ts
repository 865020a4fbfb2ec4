import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import type { Message } from "../../lib/event/message.ts";
import { type RequestShape, toMessages } from "../../lib/shape/message_shape.ts";
import { pairCalls } from "../../lib/projection/conversation/paired_messages.ts";
import { MessageShaper } from "../../lib/shape/message_shaper.ts";
import { hostileMessages, PROPERTY_RUNS } from "../_support/hostile_messages.ts";

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
