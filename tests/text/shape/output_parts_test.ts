import assert from "node:assert/strict";
import type { Message, Output } from "../../../lib/core/event/message.ts";
import { toMessages } from "../../../lib/text/shape/message_shape.ts";

const image = {
  type: "image" as const,
  media_type: "image/png",
  data: "AAAA",
  sha256: "",
  bytes: 3,
};

/** A call with its result, and what the user says next. */
function talk(output: Output, status: "ok" | "error" = "ok"): Message[] {
  return [
    { role: "user", content: "Look" },
    {
      role: "assistant",
      content: [{ type: "tool_call", call_id: "c1", name: "shot", input: {} }],
    },
    {
      role: "tool",
      content: [{ type: "tool_result", call_id: "c1", name: "shot", status, output }],
    },
    { role: "user", content: "Well?" },
  ];
}

const source = { type: "base64", media_type: "image/png", data: "AAAA" };
const well = { type: "text", text: "Well?" };

Deno.test("anthropic: an image stays in its result, and nothing is made up beside it", () => {
  const result = (output: Output) => toMessages(talk(output), "anthropic").messages.at(-1);
  const block = { type: "tool_result", tool_use_id: "c1" };
  assert.deepEqual(result([image]), {
    role: "user",
    content: [{ ...block, content: [{ type: "image", source }] }, well],
  });
  assert.deepEqual(result([{ type: "text", text: "taken" }, image, { type: "json", value: [1] }]), {
    role: "user",
    content: [{
      ...block,
      content: [
        { type: "text", text: "taken" },
        { type: "image", source },
        { type: "text", text: "[1]" },
      ],
    }, well],
  });
  assert.deepEqual(result([{ type: "text", text: "taken" }]), {
    role: "user",
    content: [{ ...block, content: "taken" }, well],
  });
});

Deno.test("anthropic: of a result that is an error, which takes text alone, the image follows", () => {
  const failed = toMessages(talk([{ type: "text", text: "no" }, image], "error"), "anthropic");
  assert.deepEqual(failed.messages.at(-1), {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "c1", content: "no", is_error: true },
      { type: "text", text: "Attached image(s) from tool result:" },
      { type: "image", source },
      well,
    ],
  });
});

Deno.test("openai: an image follows its result with the user's next words, and the result says so", () => {
  const { messages } = toMessages(talk([image]), "openai");
  assert.deepEqual(messages.slice(2), [
    { role: "tool", tool_call_id: "c1", content: "(see attached image)" },
    {
      role: "user",
      content: [
        { type: "text", text: "Attached image(s) from tool result:" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        well,
      ],
    },
  ]);
  const told = toMessages(
    talk([{ type: "text", text: "a" }, { type: "json", value: null }]),
    "openai",
  );
  assert.deepEqual(told.messages[2], { role: "tool", tool_call_id: "c1", content: "a\nnull" });
});

Deno.test("ai-sdk: a result is a text, a value, or content with its images", () => {
  const output = (given: Output, status: "ok" | "error" = "ok") => {
    const tool = toMessages(talk(given, status), "ai-sdk").messages[2];
    return tool?.role === "tool" ? tool.content[0]?.output : undefined;
  };
  assert.deepEqual(output("a"), { type: "text", value: "a" });
  assert.deepEqual(output([{ type: "json", value: { a: 1 } }]), { type: "json", value: { a: 1 } });
  assert.deepEqual(output([{ type: "json", value: 1 }], "error"), { type: "error-json", value: 1 });
  assert.deepEqual(output([{ type: "text", text: "a" }, image]), {
    type: "content",
    value: [
      { type: "text", text: "a" },
      { type: "file-data", data: "AAAA", mediaType: "image/png", filename: "attachment.png" },
    ],
  });
});

Deno.test("describes unsendable parts of a result, and silence, in words", () => {
  const { data: _, ...rest } = image;
  const { messages } = toMessages(talk([{ ...rest, path: "/a.png" }]), "openai");
  assert.deepEqual(messages[2], {
    role: "tool",
    tool_call_id: "c1",
    content: "[image not included: image/png, 3 bytes, /a.png]",
  });
  for (const silent of [[], [{ type: "text" as const, text: " " }]]) {
    const [, , tool] = toMessages(talk(silent), "openai").messages;
    assert.deepEqual(tool, { role: "tool", tool_call_id: "c1", content: "(no output)" });
  }
});
