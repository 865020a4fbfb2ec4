import assert from "node:assert/strict";
import { sealedHistory } from "../../../lib/core/event/sealed_history.ts";
import { fromMessages } from "../../../lib/text/shape/from_messages.ts";
import { toMessages } from "../../../lib/text/shape/message_shape.ts";

Deno.test("a sealed history is the answer that its item of the Responses API makes", () => {
  const item = { type: "compaction", encrypted_content: "gAAAA" } as const;
  const answer = sealedHistory(item.type, item.encrypted_content);
  const [event] = fromMessages("openai-responses", [item]);
  assert.equal(event?.kind, "assistant_message");
  assert.deepEqual((event?.payload as typeof answer).content, answer.content);
  const { input } = toMessages([{ role: "assistant", ...answer }], "openai-responses");
  assert.deepEqual(input, [item]);
});
