import assert from "node:assert/strict";
import type { Message, Part } from "../../../../lib/core/event/message.ts";
import { toMessages } from "../../../../lib/text/shape/message_shape.ts";
import { UNSETTLED_OUTPUT } from "../../../../lib/core/projection/conversation/paired_messages.ts";

function aiSdk(...messages: Message[]): unknown {
  return toMessages(messages, "ai-sdk").messages;
}

const text: Part = { type: "text", text: "So" };
const thought: Part = { type: "reasoning", text: "Hm" };
const call: Part = { type: "tool_call", call_id: "c1", name: "mcp.read", input: "a.ts" };

Deno.test("ai-sdk: instructions stand beside the messages", () => {
  assert.deepEqual(
    toMessages([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi" },
    ], "ai-sdk"),
    { system: "Be brief.", messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }] },
  );
});

Deno.test("ai-sdk: calls last, their results in the tool message after", () => {
  assert.deepEqual(
    aiSdk(
      { role: "assistant", content: [call, text, { ...call, call_id: "c2" }] },
      {
        role: "tool",
        content: [
          { type: "tool_result", call_id: "c1", name: "", status: "ok", output: "x" },
        ],
      },
    ),
    [
      {
        role: "assistant",
        content: [
          { type: "text", text: "So" },
          { type: "tool-call", toolCallId: "c1", toolName: "mcp_read", input: { input: "a.ts" } },
          { type: "tool-call", toolCallId: "c2", toolName: "mcp_read", input: { input: "a.ts" } },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c1",
            toolName: "mcp_read",
            output: { type: "text", value: "x" },
          },
          {
            type: "tool-result",
            toolCallId: "c2",
            toolName: "mcp_read",
            output: { type: "error-text", value: UNSETTLED_OUTPUT },
          },
        ],
      },
    ],
  );
});

Deno.test("ai-sdk: reasoning goes with what its provider put on it", () => {
  const options = { openai: { itemId: "rs_1", reasoningEncryptedContent: null } };
  assert.deepEqual(
    aiSdk({
      role: "assistant",
      content: [
        thought,
        { ...thought, text: "" },
        { ...thought, text: "", provider_data: options },
        { ...thought, provider_data: { signature: "s" } },
        { ...thought, text: "", provider_data: { type: "redacted_thinking", data: "d" } },
        { ...thought, provider_data: { type: "reasoning_content" } },
        text,
        thought,
      ],
    }),
    [{
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm" },
        { type: "reasoning", text: "", providerOptions: options },
        { type: "reasoning", text: "Hm", providerOptions: { anthropic: { signature: "s" } } },
        { type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: "d" } } },
        { type: "reasoning", text: "Hm" },
        { type: "text", text: "So" },
      ],
    }],
  );
});

Deno.test("ai-sdk: images and PDFs are file parts", () => {
  const image: Part = {
    type: "image",
    media_type: "image/png",
    data: "iVBORw0K",
    sha256: "",
    bytes: 6,
  };
  assert.deepEqual(
    aiSdk({
      role: "user",
      content: [
        image,
        { ...image, type: "file", media_type: "application/pdf", path: "C:\\docs\\b.pdf" },
      ],
    }),
    [{
      role: "user",
      content: [
        { type: "file", mediaType: "image/png", filename: "attachment.png", data: "iVBORw0K" },
        { type: "file", mediaType: "application/pdf", filename: "b.pdf", data: "iVBORw0K" },
      ],
    }],
  );
});
