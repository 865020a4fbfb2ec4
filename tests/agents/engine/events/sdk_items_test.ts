import assert from "node:assert/strict";
import { startResponse } from "../../../../lib/agents/engine/events/response_draft.ts";
import {
  addItem,
  answerParts,
  imageParts,
} from "../../../../lib/agents/engine/events/sdk_items.ts";

const PNG = "iVBORw0KGgo=";

Deno.test("images in the forms of all SDKs become attachments", () => {
  for (
    const item of [
      { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
      { type: "image", data: PNG, mimeType: "image/png" },
      { type: "image", image: `data:image/png;base64,${PNG}` },
      { type: "file", data: PNG, mediaType: "image/png" },
      { type: "image", path: "/tmp/a.png" },
    ]
  ) {
    const [{ type, media_type } = {}, ...more] = imageParts(item);
    assert.deepEqual([type, media_type, more], ["image", "image/png", []], JSON.stringify(item));
  }
  assert.deepEqual(imageParts({ type: "tool_use", data: PNG }), []);
});

Deno.test("thoughts in the forms of both SDKs keep their signature", () => {
  const provider_data = { signature: "s" };
  const expected = [{ type: "reasoning", text: "so", provider_data }];
  assert.deepEqual(answerParts({ type: "thinking", thinking: "so", signature: "s" }), expected);
  assert.deepEqual(answerParts({ type: "reasoning", text: "so", signature: "s" }), expected);
  assert.deepEqual(answerParts({ type: "later" }), []);
});

Deno.test("a call without its input has an empty one", () => {
  const draft = startResponse();
  addItem(draft, { type: "tool_use", name: "Shell" }, "call-1");
  const expected = { type: "tool_call", call_id: "call-1", name: "Shell", input: {} };
  assert.deepEqual(draft.parts, [expected]);
});
