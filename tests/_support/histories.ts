/** Arbitrary histories of SDKs: what they keep of a conversation, in any state. */
import fc from "npm:fast-check@4.10.2";

type Members = Record<string, unknown>;

const text = fc.oneof(fc.constantFrom("", "a", "{}", "Noon.", "  "), fc.string({ maxLength: 5 }));
const value = fc.oneof(text, fc.constant(null), fc.constant([]), fc.constant({ a: [1, "x"] }));
const callId = fc.constantFrom("c1", "c2", "c3");
const image = "data:image/png;base64,AAEC";

function record(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Members> {
  return fc.record(members, { noNullPrototype: true });
}

function some(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Members> {
  return fc.record(members, { requiredKeys: [], noNullPrototype: true });
}

function is<Value>(value: Value): fc.Arbitrary<Value> {
  return fc.constant(value);
}

function and(first: fc.Arbitrary<Members>, second: fc.Arbitrary<Members>): fc.Arbitrary<Members> {
  return fc.tuple(first, second).map(([a, b]) => ({ ...a, ...b }));
}

const providerData = some({
  id: is("x_1"),
  providerData: fc.constantFrom({}, { annotations: [1] }),
});
const inputPart = fc.oneof(
  and(record({ type: is("input_text"), text }), some({ providerData: is({ a: 1 }) })),
  record({
    type: is("input_image"),
    image: fc.constantFrom(image, "AAEC", "https://example.com/a", { id: "file_1" }),
  }),
  and(
    record({
      type: is("input_file"),
      file: fc.constantFrom("data:application/pdf;base64,AAEC", { url: "https://example.com/a" }),
    }),
    some({ filename: is("a.pdf") }),
  ),
  record({ type: is("audio"), audio: is("AAEC") }),
);
const output = fc.oneof(
  text,
  and(record({ type: is("text"), text }), some({ providerData: is({ a: 1 }) })),
  record({
    type: is("image"),
    image: fc.constantFrom(image, { data: "AAEC", mediaType: "image/png" }, { fileId: "f" }, {
      data: new Uint8Array([1, 2]),
    }),
  }),
  record({ type: is("file"), file: is({ data: "AAEC", mediaType: "text/plain", filename: "a" }) }),
  fc.array(inputPart, { maxLength: 2 }),
);

/** An item of OpenAI's Agents SDK; calls and results in any order. */
export const agentsItem: fc.Arbitrary<Members> = fc.oneof(
  and(
    record({ role: fc.constantFrom("user", "system"), content: text }),
    some({ type: is("message") }),
  ),
  record({ type: is("message"), role: is("user"), content: fc.array(inputPart, { maxLength: 2 }) }),
  record({ type: is("message"), role: is("assistant"), content: text }),
  and(
    record({
      type: is("message"),
      role: is("assistant"),
      status: fc.constantFrom("completed", "incomplete"),
      content: fc.array(
        fc.oneof(
          and(record({ type: is("output_text"), text }), providerData),
          record({ type: is("refusal"), refusal: text }),
        ),
        { maxLength: 2 },
      ),
    }),
    providerData,
  ),
  and(
    record({
      type: is("reasoning"),
      content: fc.array(record({ type: is("input_text"), text }), { maxLength: 2 }),
    }),
    providerData,
  ),
  and(
    record({ type: is("function_call"), callId, name: text, arguments: text }),
    and(providerData, some({ status: is("completed"), namespace: is("n") })),
  ),
  and(
    record({ type: is("function_call_result"), callId, name: text, output }),
    and(providerData, some({ status: is("completed") })),
  ),
  record({ type: fc.constantFrom("compaction", "hosted_tool_call"), encrypted_content: text }),
);

const metadata = some({ providerMetadata: is({ anthropic: { signature: "s" } }) });
const toolCallId = fc.constantFrom("c1", "c2");
const call = { toolCallId, input: value };
const toolType = fc.constantFrom("tool-size", "tool-", "dynamic-tool");
const named = some({ toolName: is("size"), callProviderMetadata: is({ a: { b: 1 } }) });

/** A part of a UIMessage, in any state. */
const uiPart = fc.oneof(
  and(
    record({ type: fc.constantFrom("text", "reasoning"), text }),
    and(metadata, some({ state: is("done") })),
  ),
  and(
    record({
      type: is("file"),
      mediaType: is("image/png"),
      url: fc.constantFrom(image, "https://example.com/a", "data:,a", "AAEC"),
    }),
    some({ filename: is("a.png") }),
  ),
  record({ type: fc.constantFrom("step-start", "file", "data-x", "tool-x"), url: text }),
  and(
    record({
      type: toolType,
      ...call,
      state: fc.constantFrom("input-available", "input-streaming", "approval-requested"),
    }),
    named,
  ),
  and(record({ type: toolType, ...call, state: is("output-available"), output: value }), named),
  and(
    record({ type: toolType, ...call, state: is("output-available") }),
    some({ preliminary: is(true), title: is("t") }),
  ),
  and(record({ type: toolType, ...call, state: is("output-error"), errorText: text }), named),
  record({ type: toolType, toolCallId, state: is("output-error"), errorText: text }),
  record({
    type: toolType,
    ...call,
    state: is("output-denied"),
    approval: fc.constantFrom({ id: "a", approved: false }, {
      id: "a",
      approved: false,
      reason: "no",
    }),
  }),
);

/** A UIMessage of the AI SDK. */
export const uiMessage: fc.Arbitrary<Members> = and(
  record({
    id: text,
    role: fc.constantFrom("user", "assistant", "assistant", "system"),
    parts: fc.array(uiPart, { maxLength: 6 }),
  }),
  some({ metadata: value }),
);
