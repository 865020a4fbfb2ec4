import assert from "node:assert/strict";
import type { Message, OutputPart, Part } from "../../../../lib/core/event/message.ts";
import { toMessages } from "../../../../lib/text/shape/message_shape.ts";
import { UNSETTLED_OUTPUT } from "../../../../lib/core/projection/conversation/paired_messages.ts";

function anthropic(...messages: Message[]): unknown {
  return toMessages(messages, "anthropic").messages;
}

function text(text: string): { type: "text"; text: string } {
  return { type: "text", text };
}

const hi: Message = { role: "user", content: "Hi" };
const shapedHi = { role: "user", content: [text("Hi")] };
const call: Part = { type: "tool_call", call_id: "c1", name: "read", input: { path: "a.ts" } };
const result: Part = {
  type: "tool_result",
  call_id: "c1",
  name: "read",
  status: "ok",
  output: "x",
};

Deno.test("anthropic: instructions from wherever they stood are the system text", () => {
  assert.deepEqual(
    toMessages([
      { role: "system", content: "Be brief." },
      hi,
      { role: "system", content: "It is late." },
      { role: "system", content: " " },
      { role: "user", content: "And now?" },
    ], "anthropic"),
    {
      system: "Be brief.\n\nIt is late.",
      messages: [{ role: "user", content: [text("Hi"), text("And now?")] }],
    },
  );
  assert.deepEqual(toMessages([hi], "anthropic"), { messages: [shapedHi] });
});

Deno.test("anthropic: results of a message and what the user says next are one message", () => {
  assert.deepEqual(
    anthropic(
      hi,
      { role: "assistant", content: [call, text("Look"), { ...call, call_id: "c.2" }] },
      { role: "user", content: [text("Well?"), { ...result, status: "error", output: "" }] },
      { role: "user", content: "Well?!" },
    ),
    [
      shapedHi,
      {
        role: "assistant",
        content: [
          text("Look"),
          { type: "tool_use", id: "c1", name: "read", input: { path: "a.ts" } },
          { type: "tool_use", id: "c_2", name: "read", input: { path: "a.ts" } },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "c1",
            content: "(the call failed without a message)",
            is_error: true,
          },
          { type: "tool_result", tool_use_id: "c_2", content: UNSETTLED_OUTPUT, is_error: true },
          text("Well?"),
          text("Well?!"),
        ],
      },
    ],
  );
});

Deno.test("anthropic: a conversation that the model begins gets a user's word first", () => {
  assert.deepEqual(anthropic({ role: "assistant", content: "Hello" }), [
    {
      role: "user",
      content: [text("(This conversation begins with a message from the assistant.)")],
    },
    { role: "assistant", content: [text("Hello")] },
  ]);
});

Deno.test("anthropic: a final answer loses the white space at its end, others keep it", () => {
  assert.deepEqual(
    anthropic(
      hi,
      { role: "assistant", content: "One \n" },
      hi,
      { role: "assistant", content: "Two \n\u0085" },
    ),
    [
      shapedHi,
      { role: "assistant", content: [text("One \n")] },
      shapedHi,
      { role: "assistant", content: [text("Two")] },
    ],
  );
});

Deno.test("anthropic: thinking goes with its signature or not at all", () => {
  const thought: Part = { type: "reasoning", text: "Hm" };
  assert.deepEqual(
    anthropic(hi, {
      role: "assistant",
      content: [
        { ...thought, provider_data: { signature: "s1" } },
        { ...thought, text: "", provider_data: { signature: "s2" } },
        { ...thought, provider_data: { anthropic: { signature: "s3" } } },
        { ...thought, text: "", provider_data: { type: "redacted_thinking", data: "d1" } },
        { ...thought, provider_data: { anthropic: { redactedData: "d2" } } },
        thought,
        { ...thought, provider_data: { signature: "" } },
        { ...thought, provider_data: { encrypted_content: "not Anthropic's" } },
        text("So"),
      ],
    }),
    [shapedHi, {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm", signature: "s1" },
        { type: "thinking", thinking: "", signature: "s2" },
        { type: "thinking", thinking: "Hm", signature: "s3" },
        { type: "redacted_thinking", data: "d1" },
        { type: "redacted_thinking", data: "d2" },
        text("So"),
      ],
    }],
  );
});

Deno.test("anthropic: thinking that nothing follows is left out, and the users around it joined", () => {
  const thought: Part = { type: "reasoning", text: "Hm", provider_data: { signature: "s" } };
  assert.deepEqual(
    anthropic(
      hi,
      { role: "assistant", content: [thought] },
      hi,
      { role: "assistant", content: [text("So"), thought] },
    ),
    [
      { role: "user", content: [text("Hi"), text("Hi")] },
      { role: "assistant", content: [text("So")] },
    ],
  );
  assert.deepEqual(
    anthropic(hi, { role: "assistant", content: [thought] }, { role: "assistant", content: "So" }),
    [shapedHi, {
      role: "assistant",
      content: [{ type: "thinking", thinking: "Hm", signature: "s" }, text("So")],
    }],
  );
});

Deno.test("anthropic: images and PDFs go as base64, all else as a line of text", () => {
  const image: Part = {
    type: "image",
    media_type: "IMAGE/JPG",
    data: "/9j/",
    sha256: "",
    bytes: 3,
  };
  assert.deepEqual(
    anthropic({
      role: "user",
      content: [
        image,
        { ...image, type: "file", media_type: "application/pdf" },
        { ...image, media_type: "image/svg+xml" },
        { ...image, data: "not base64" },
        { type: "image", media_type: "image/png", path: "/tmp/a.png", sha256: "", bytes: 3 },
      ],
    }),
    [{
      role: "user",
      content: [
        { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "/9j/" } },
        {
          type: "document",
          source: { type: "base64", media_type: "application/pdf", data: "/9j/" },
        },
        text("[image not included: image/svg+xml, 3 bytes]"),
        text("[image not included: IMAGE/JPG, 3 bytes]"),
        text("[image not included: image/png, 3 bytes, /tmp/a.png]"),
      ],
    }],
  );
});

Deno.test("anthropic: a reference to a tool stays one; other values are JSON texts", () => {
  const found = { type: "tool_reference", tool_name: "WebFetch" };
  const output: OutputPart[] = [
    { type: "json", value: found },
    { type: "json", value: { tool_name: "WebFetch" } },
  ];
  const messages = toMessages([
    { role: "assistant", content: [call] },
    { role: "tool", content: [{ ...result, output } as Part] },
  ], "anthropic").messages;
  assert.deepEqual(messages.at(-1), {
    role: "user",
    content: [
      {
        type: "tool_result",
        tool_use_id: "c1",
        content: [found, text('{"tool_name":"WebFetch"}')],
      },
    ],
  });
});
