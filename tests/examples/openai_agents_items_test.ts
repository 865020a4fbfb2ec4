/** The OpenAI Agents SDK itself takes what toMessages gives it: its schema of items. */
import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { protocol } from "npm:@openai/agents-core@0.20.0";
import { toMessages } from "../../lib/text/shape/message_shape.ts";
import { hostileMessages, PROPERTY_RUNS } from "../_support/hostile_messages.ts";

Deno.test("the schema of OpenAI Agents takes every item of any conversation", () => {
  let seen = 0;
  fc.assert(
    fc.property(hostileMessages, (messages) => {
      for (const item of toMessages(messages, "openai-agents").items) {
        assert.deepEqual(protocol.ModelItem.parse(item), item);
        seen++;
      }
    }),
    PROPERTY_RUNS,
  );
  assert.ok(seen > 2 * PROPERTY_RUNS.numRuns, `only ${seen} items were looked at`);
});
