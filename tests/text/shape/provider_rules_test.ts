/** The rules that the shapes are tested with see each fault that they are there for. */
import assert from "node:assert/strict";
import {
  aiSdkFaults,
  anthropicFaults,
  openAiFaults,
  plainFaults,
} from "../../_support/provider_rules.ts";

type Message = Record<string, unknown>;

const text = { type: "text", text: "Hi" };
const hi = { role: "user", content: [text] };
const toolUse = { type: "tool_use", id: "c1", name: "read", input: {} };
const toolResult = { type: "tool_result", tool_use_id: "c1", content: "x" };
const assistant = { role: "assistant", content: [toolUse] };
const answer = { role: "user", content: [toolResult] };

const openAiCall = { id: "c1", type: "function", function: { name: "read", arguments: "{}" } };
const openAiAssistant = { role: "assistant", content: null, tool_calls: [openAiCall] };
const openAiResult = { role: "tool", tool_call_id: "c1", content: "x" };

const sdkCall = { type: "tool-call", toolCallId: "c1", toolName: "read", input: {} };
const sdkResult = {
  type: "tool-result",
  toolCallId: "c1",
  toolName: "read",
  output: { type: "text", value: "x" },
};
const sdkAssistant = { role: "assistant", content: [sdkCall] };
const sdkTool = { role: "tool", content: [sdkResult] };

function expectFaults(
  faultsOf: (request: unknown) => string[],
  cases: [RegExp, ...Message[]][],
): void {
  for (const [expected, ...messages] of cases) {
    const faults = faultsOf({ messages }).join("\n");
    assert.match(faults, expected, JSON.stringify(messages));
  }
}

Deno.test("the rules of Anthropic take what is right and see what is wrong", () => {
  assert.deepEqual(anthropicFaults({ system: "s", messages: [hi, assistant, answer] }), []);
  assert.match(anthropicFaults({ system: " ", messages: [] }).join(), /blank/);
  const said = (...content: unknown[]) => ({ role: "assistant", content });
  expectFaults(anthropicFaults, [
    [/take turns/, said(text)],
    [/take turns/, hi, hi],
    [/without result at the end/, hi, assistant],
    [/without result: c1/, hi, assistant, hi],
    [/of no call/, answer],
    [/out of order/, hi, assistant, {
      role: "user",
      content: [{ ...toolResult, tool_use_id: "x" }],
    }],
    [/results are not first/, hi, assistant, { role: "user", content: [text, toolResult] }],
    [/calls are not last/, hi, said(toolUse, text), answer],
    [/ids of calls repeat/, hi, assistant, answer, assistant, answer],
    [/is not \/\^/, hi, said({ ...toolUse, id: "c.1" }), answer],
    [/is not \/\^/, hi, said({ ...toolUse, name: "a b" }), answer],
    [/input is not an object/, hi, said({ ...toolUse, input: [] }), answer],
    [/blank/, hi, assistant, { role: "user", content: [{ ...toolResult, content: "" }] }],
    [/blank/, { role: "user", content: [{ type: "text", text: "\u0085 \n" }] }],
    [/no content/, { role: "user", content: [] }],
    [/ends with thinking/, hi, said(text, { type: "thinking", thinking: "", signature: "s" })],
    [/is not a text/, hi, said({ type: "thinking", thinking: "" }, text)],
    [/white space/, hi, said({ type: "text", text: "Hi " })],
    [/not allowed/, hi, said({ type: "image", source: { type: "base64", media_type: "x" } })],
    [/media type/, {
      role: "user",
      content: [{
        type: "image",
        source: { type: "base64", media_type: "image/svg+xml", data: "AAAA" },
      }],
    }],
    [/not base64/, {
      role: "user",
      content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "?" } }],
    }],
    [/surrogate/, { role: "user", content: [{ type: "text", text: "a\ud800" }] }],
    [/surrogate/, hi, said({ ...toolUse, input: { "\udc00": 1 } }), answer],
  ]);
});

Deno.test("the rules of OpenAI take what is right and see what is wrong", () => {
  const user = { role: "user", content: "Hi" };
  assert.deepEqual(openAiFaults({ messages: [user, openAiAssistant, openAiResult, user] }), []);
  const calls = (call: unknown) => ({ role: "assistant", content: null, tool_calls: [call] });
  expectFaults(openAiFaults, [
    [/without result: c1/, openAiAssistant, user],
    [/of no call/, openAiResult],
    [/ids of calls repeat/, openAiAssistant, openAiResult, openAiAssistant, openAiResult],
    [/neither content nor calls/, { role: "assistant", content: null }],
    [/tool_calls is empty/, { role: "assistant", content: "Hi", tool_calls: [] }],
    [/blank/, { role: "user", content: "" }],
    [/is not \/\^/, calls({ ...openAiCall, id: "x".repeat(41) })],
    [/is not \/\^/, calls({ ...openAiCall, function: { name: "a.b", arguments: "{}" } })],
    [/not an object/, calls({ ...openAiCall, function: { name: "a", arguments: "[]" } })],
    [
      /surrogate/,
      calls({ ...openAiCall, function: { name: "a", arguments: '{"a":"\\ud800"}' } }),
    ],
    [/unknown part/, { role: "user", content: [{ type: "image" }] }],
    [/extra is_error/, openAiAssistant, { ...openAiResult, is_error: true }],
  ]);
});

Deno.test("the rules of the AI SDK take what is right and see what is wrong", () => {
  assert.deepEqual(aiSdkFaults({ messages: [hi, sdkAssistant, sdkTool, hi] }), []);
  expectFaults(aiSdkFaults, [
    [/without result: c1 read/, sdkAssistant, hi],
    [/of no call/, sdkTool],
    [/out of order/, sdkAssistant, { role: "tool", content: [{ ...sdkResult, toolName: "x" }] }],
    [/ids of calls repeat/, sdkAssistant, sdkTool, sdkAssistant, sdkTool],
    [/calls are not last/, { role: "assistant", content: [sdkCall, text] }, sdkTool],
    [/not allowed in undefined|not allowed in system/, { role: "system", content: [text] }],
    [/ends with reasoning/, { role: "assistant", content: [{ type: "reasoning", text: "Hm" }] }],
    [/by provider/, {
      role: "assistant",
      content: [{ type: "reasoning", text: "", providerOptions: { a: 1 } }, text],
    }],
    [/unknown output/, sdkAssistant, {
      role: "tool",
      content: [{ ...sdkResult, output: { type: "yaml", value: {} } }],
    }],
  ]);
});

Deno.test("the rules of plain messages take what is right and see what is wrong", () => {
  const call = { type: "tool_call", call_id: "c1", name: "read", input: {} };
  const result = { type: "tool_result", call_id: "c1", name: "read", status: "ok", output: "" };
  const made = { role: "assistant", content: [call] };
  const given = { role: "tool", content: [result] };
  assert.deepEqual(plainFaults([made, given, made, given, { role: "user", content: "" }]), []);
  assert.match(plainFaults([made]).join(), /without result at the end/);
  assert.match(plainFaults([given]).join(), /of no call/);
  assert.match(plainFaults([made, { ...given, role: "user" }]).join(), /outside a tool message/);
  assert.match(plainFaults([{ ...made, role: "user" }, given]).join(), /not the assistant's/);
  assert.match(plainFaults([made, { role: "tool", content: [result, text] }]).join(), /more than/);
});
