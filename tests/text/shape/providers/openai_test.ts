import assert from "node:assert/strict";
import type { Message, Part } from "../../../../lib/core/event/message.ts";
import { toMessages } from "../../../../lib/text/shape/message_shape.ts";
import { UNSETTLED_OUTPUT } from "../../../../lib/core/projection/conversation/paired_messages.ts";

function openAi(...messages: Message[]): unknown {
  return toMessages(messages, "openai").messages;
}

const call: Part = { type: "tool_call", call_id: "c1", name: "read", input: { path: "a.ts" } };
const image: Part = {
  type: "image",
  media_type: "image/png",
  data: "iVBORw0K",
  path: "/tmp/a.png",
  sha256: "",
  bytes: 6,
};

Deno.test("openai: instructions stay among the messages, where they stood", () => {
  assert.deepEqual(
    toMessages([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi" },
      { role: "system", content: [{ type: "text", text: "It is late." }] },
      { role: "user", content: "And now?" },
    ], "openai"),
    {
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hi" },
        { role: "system", content: "It is late." },
        { role: "user", content: "And now?" },
      ],
    },
  );
});

Deno.test("openai: a call and its result, content null when nothing is said", () => {
  assert.deepEqual(
    openAi(
      { role: "assistant", content: [call] },
      {
        role: "tool",
        content: [{ type: "tool_result", call_id: "c1", name: "read", status: "ok", output: "x" }],
      },
      { role: "assistant", content: [{ type: "text", text: "Again" }, call] },
    ),
    [
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a.ts"}' } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "x" },
      {
        role: "assistant",
        content: "Again",
        tool_calls: [
          {
            id: "c1_2",
            type: "function",
            function: { name: "read", arguments: '{"path":"a.ts"}' },
          },
        ],
      },
      { role: "tool", tool_call_id: "c1_2", content: UNSETTLED_OUTPUT },
    ],
  );
});

Deno.test("openai: texts in a row are one text", () => {
  assert.deepEqual(
    openAi(
      { role: "user", content: "One" },
      { role: "user", content: [{ type: "text", text: "Two" }, { type: "text", text: " " }] },
      { role: "assistant", content: "Three" },
      { role: "assistant", content: "" },
      { role: "assistant", content: "Four" },
    ),
    [
      { role: "user", content: "One\n\nTwo" },
      { role: "assistant", content: "Three\n\nFour" },
    ],
  );
});

Deno.test("openai: images and PDFs go as data URLs, all else as a line of text", () => {
  assert.deepEqual(
    openAi({
      role: "user",
      content: [
        { type: "text", text: "See" },
        image,
        { ...image, type: "file", media_type: "application/pdf", path: "/tmp/b.pdf" },
        { ...image, type: "file", media_type: "text/csv", path: "/tmp/c.csv" },
      ],
    }),
    [{
      role: "user",
      content: [
        { type: "text", text: "See" },
        { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0K" } },
        {
          type: "file",
          file: { filename: "b.pdf", file_data: "data:application/pdf;base64,iVBORw0K" },
        },
        { type: "text", text: "[file not included: text/csv, 6 bytes, /tmp/c.csv]" },
      ],
    }],
  );
});

Deno.test("openai: an image of the model's, which no provider takes back, is a line of text", () => {
  assert.deepEqual(openAi({ role: "assistant", content: [image] }), [
    { role: "assistant", content: "[image not included: image/png, 6 bytes, /tmp/a.png]" },
  ]);
});

Deno.test("openai: reasoning goes only where its provider wants it back", () => {
  const reasoning: Part = { type: "reasoning", text: "Hm", provider_data: { signature: "s" } };
  const text: Part = { type: "text", text: "So" };
  assert.deepEqual(openAi({ role: "assistant", content: [reasoning, text] }), [
    { role: "assistant", content: "So" },
  ]);
  const wanted = { ...reasoning, provider_data: { type: "reasoning_content" } };
  assert.deepEqual(openAi({ role: "assistant", content: [wanted, text] }), [
    { role: "assistant", content: "So", reasoning_content: "Hm" },
  ]);
  assert.deepEqual(openAi({ role: "assistant", content: [wanted] }), []);
});
