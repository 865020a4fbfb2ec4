/** Arbitrary requests of each shape, as their providers take them, with what we have no field for. */
import fc from "npm:fast-check@4.10.2";
import { uiMessage } from "./histories.ts";

type Members = Record<string, unknown>;

const word = fc.constantFrom("", " ", "one", "two\n", "\u{1f600}", '{"a": 1}');
const base64 = fc.constantFrom("aGVsbG8=", "AAEC", "/9j/4A==");
const json = fc.oneof(
  fc.constantFrom({}, { path: "a.ts" }, { a: [1, null, { b: "" }] }),
  fc.dictionary(fc.constantFrom("a", "b", "__proto__", "~/x"), fc.constantFrom(1, "", null, [])),
);
const toolName = fc.constantFrom("read", "bash", "mcp.x");

/** A copy of which all objects are plain ones. */
export function plain<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(plain) as Value;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof URL || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, plain(member)]),
  ) as Value;
}

/** Members that may be there. */
function maybe(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Members> {
  return fc.record(members, { requiredKeys: [] });
}

function block(
  fixed: Record<string, fc.Arbitrary<unknown>>,
  more: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<Members> {
  return fc.tuple(fc.record(fixed), maybe(more)).map(([own, rest]) => ({ ...own, ...rest }));
}

function is<Value>(value: Value): fc.Arbitrary<Value> {
  return fc.constant(value);
}

/** One step: what the user says, or a response with the results of its calls in any order. */
interface Step {
  said?: unknown[];
  answer?: unknown[];
  calls: { id: string; name: string; place: number }[];
  order: number[];
  more: Members;
  text?: string | undefined;
  results: { blocks: unknown[]; failed: boolean; text: string | undefined; more: Members }[];
}

function steps(parts: {
  said: fc.Arbitrary<unknown>;
  answered: fc.Arbitrary<unknown>;
  output: fc.Arbitrary<unknown>;
  message: fc.Arbitrary<Members>;
  result: fc.Arbitrary<Members>;
}): fc.Arbitrary<Step[]> {
  const text = fc.option(word, { nil: undefined });
  const said = fc.record({
    said: fc.array(parts.said, { minLength: 1, maxLength: 3 }),
    calls: is([]),
    order: is([]),
    results: is([]),
    more: parts.message,
    text,
  });
  const result = fc.record({
    blocks: fc.array(parts.output, { minLength: 1, maxLength: 3 }),
    failed: fc.boolean(),
    text,
    more: parts.result,
  });
  const answer = fc.record({
    answer: fc.array(parts.answered, { minLength: 1, maxLength: 3 }),
    calls: fc.array(fc.record({ id: is(""), name: toolName, place: fc.nat(3) }), { maxLength: 3 }),
    order: is([]),
    more: parts.message,
    text,
    results: fc.array(result, { minLength: 3, maxLength: 3 }),
  }).chain((step) =>
    fc.shuffledSubarray(step.calls.map((_, index) => index), { minLength: step.calls.length })
      .map((order) => ({ ...step, order }))
  );
  let id = 0;
  return fc.array(fc.oneof(said, answer), { maxLength: 6 }).map((list) => {
    id = 0;
    return (list as Step[]).map((step) => ({
      ...step,
      // Ids may come again in a later response.
      calls: step.calls.map((call) => ({ ...call, id: `c${id++ % 4}` })),
    }));
  });
}

/** Puts calls among what a response says. */
function withCalls(
  step: Step,
  call: (id: string, name: string, index: number) => unknown,
): unknown[] {
  const blocks = [...step.answer ?? []];
  for (const [index, { id, name, place }] of step.calls.entries()) {
    blocks.splice(Math.min(place, blocks.length), 0, call(id, name, index));
  }
  return blocks;
}

const cache = maybe({ cache_control: fc.constantFrom({ type: "ephemeral" }, null) });

function and(first: fc.Arbitrary<Members>, second: fc.Arbitrary<Members>): fc.Arbitrary<Members> {
  return fc.tuple(first, second).map(([a, b]) => ({ ...a, ...b }));
}

const anthropicText = and(
  block({ type: is("text"), text: word }, { citations: is([{ a: 1 }]) }),
  cache,
);
const anthropicImage = and(
  block({
    type: fc.constantFrom("image", "document"),
    source: fc.oneof(
      fc.record({
        type: is("base64"),
        media_type: fc.constantFrom("image/png", "application/pdf"),
        data: base64,
      }),
      fc.record({ type: is("url"), url: is("https://example.com/a.png") }),
      fc.record({ type: is("file"), file_id: is("file_1") }),
      fc.record({ type: is("text"), media_type: is("text/plain"), data: is("hi") }),
    ),
  }, { title: is("t") }),
  cache,
);
const anthropicOther = fc.constantFrom<Members[]>(
  { type: "search_result", source: "s", title: "t", content: [] },
  { type: "container_upload", file_id: "f" },
);

/** `{system?, messages}` of Anthropic. */
export const anthropicRequests: fc.Arbitrary<Members> = fc.record({
  system: fc.option(fc.oneof(word, fc.array(anthropicText, { minLength: 1, maxLength: 2 })), {
    nil: undefined,
  }),
  steps: steps({
    said: fc.oneof(anthropicText, anthropicImage, anthropicOther),
    answered: fc.oneof(
      anthropicText,
      fc.record({ type: is("thinking"), thinking: word, signature: base64 }),
      fc.record({ type: is("redacted_thinking"), data: base64 }),
      fc.record({ type: is("server_tool_use"), id: is("s1"), name: is("web_search"), input: json }),
    ),
    output: fc.oneof(anthropicText, anthropicImage),
    message: is({}),
    result: cache,
  }),
}).map(({ system, steps }) => ({
  ...(system === undefined ? {} : { system }),
  messages: steps.flatMap((step) => {
    if (step.said) return [{ role: "user", content: step.text ?? step.said }];
    if (step.calls.length === 0) return [{ role: "assistant", content: step.text ?? step.answer }];
    const content = withCalls(step, (id, name) => ({ type: "tool_use", id, name, input: {} }));
    const results = step.order.map((at) => {
      const { blocks, failed, text, more } = step.results[at]!;
      return {
        type: "tool_result",
        tool_use_id: step.calls[at]!.id,
        ...(text === "" ? {} : { content: text ?? blocks }),
        ...(failed ? { is_error: true } : at === 0 ? {} : { is_error: false }),
        ...more,
      };
    });
    const after = step.results[0]!.failed ? step.results[0]!.blocks : [];
    return [{ role: "assistant", content }, { role: "user", content: [...results, ...after] }];
  }),
}));

const openAiText = block({ type: is("text"), text: word }, { extra: is(null) });

/** `{messages}` of OpenAI's chat completions. */
export const openAiRequests: fc.Arbitrary<Members> = steps({
  said: fc.oneof(
    openAiText,
    fc.record({
      type: is("image_url"),
      image_url: fc.record({
        url: fc.oneof(
          base64.map((data) => `data:image/png;base64,${data}`),
          fc.constantFrom("https://example.com/a", "data:,x", "data:image/png;name=a;base64,AAEC"),
        ),
        detail: is("low"),
      }, { requiredKeys: ["url"] }),
    }),
    fc.record({ type: is("input_audio"), input_audio: json }),
    fc.record({
      type: is("file"),
      file: fc.oneof(
        is({ file_id: "f" }),
        fc.record({ filename: is("a.pdf"), file_data: is("data:application/pdf;base64,AAEC") }),
      ),
    }),
  ),
  answered: fc.oneof(openAiText, fc.record({ type: is("refusal"), refusal: word })),
  output: openAiText,
  message: maybe({ name: is("bob"), refusal: is(null), audio: is({ id: "a" }) }),
  result: maybe({ name: is("read") }),
}).chain((list) =>
  fc.tuple(
    fc.array(fc.constantFrom("user", "system", "developer"), { minLength: 6, maxLength: 6 }),
    fc.array(fc.option(word, { nil: undefined }), { minLength: 6, maxLength: 6 }),
    fc.array(fc.constantFrom('{"a":1}', '{ "a": 1.0 }', "not json", "", "[1]"), {
      minLength: 3,
      maxLength: 3,
    }),
  ).map(([roles, thoughts, inputs]) => ({
    messages: list.flatMap((step, index): Members[] => {
      const { text, more } = step;
      if (step.said) return [{ role: roles[index], content: text ?? step.said, ...more }];
      const thought = thoughts[index];
      const message = {
        role: "assistant",
        content: text ?? (step.calls.length > 1 ? null : step.answer),
        ...(thought === undefined ? {} : { reasoning_content: thought }),
        ...more,
      };
      if (step.calls.length === 0) return [message];
      const tool_calls = step.calls.map(({ id, name }, at) =>
        at === 2
          ? { id, type: "custom", custom: { name, input: "x" } }
          : { id, type: "function", function: { name, arguments: inputs[at] } }
      );
      const results = step.order.map((at) => {
        const { blocks, text, more } = step.results[at]!;
        return { role: "tool", tool_call_id: step.calls[at]!.id, content: text ?? blocks, ...more };
      });
      return [{ ...message, tool_calls }, ...results];
    }),
  }))
);

const options = maybe({ providerOptions: fc.constantFrom({ anthropic: { a: 1 } }, {}) });
const sdkText = and(block({ type: is("text"), text: word }), options);
const sdkFile = and(
  fc.oneof(
    block({
      type: is("image"),
      image: fc.oneof(base64, is("https://e.com/a"), is(new URL("https://e.com/a"))),
    }, {
      mediaType: is("image/png"),
    }),
    block({
      type: is("file"),
      mediaType: fc.constantFrom("image/png", "application/pdf"),
      data: fc.oneof(base64, is("data:image/png;base64,AAEC"), is(new Uint8Array([1, 2, 3]))),
    }, { filename: is("a.pdf") }),
  ),
  options,
);

/** `{system?, messages}` of the AI SDK. */
export const aiSdkRequests: fc.Arbitrary<Members> = fc.record({
  system: fc.option(
    fc.oneof(word, is({ role: "system", content: "s" }), is([{ role: "system", content: "s" }])),
    {
      nil: undefined,
    },
  ),
  steps: steps({
    said: fc.oneof(sdkText, sdkFile),
    answered: fc.oneof(
      sdkText,
      sdkFile,
      and(block({ type: is("reasoning"), text: word }), options),
      is({ type: "tool-approval-request", approvalId: "a", toolCallId: "c9" }),
    ),
    output: fc.oneof(
      sdkText,
      fc.record({
        type: fc.constantFrom("file-data", "media"),
        data: base64,
        mediaType: is("image/png"),
      }),
      is({ type: "file-url", url: "https://example.com" }),
    ),
    message: options,
    result: options,
  }),
  inputs: fc.array(fc.oneof(json, fc.constantFrom("x", 1, null)), { minLength: 3, maxLength: 3 }),
  kinds: fc.array(
    fc.constantFrom("text", "error-text", "json", "error-json", "content", "execution-denied"),
    { minLength: 3, maxLength: 3 },
  ),
}).map(({ system, steps, inputs, kinds }) => ({
  ...(system === undefined ? {} : { system }),
  messages: steps.flatMap((step): Members[] => {
    const { text, more } = step;
    if (step.said) return [{ role: "user", content: text ?? step.said, ...more }];
    if (step.calls.length === 0) {
      return [{ role: "assistant", content: text ?? step.answer, ...more }];
    }
    const content = withCalls(step, (id, name, at) => ({
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      input: inputs[at],
      ...step.results[at]!.more,
    }));
    const results = step.order.map((at) => {
      const { blocks, text, more } = step.results[at]!;
      const type = kinds[at]!;
      const value = type === "content" ? blocks : type.endsWith("text") ? text ?? "" : inputs[at];
      const output = type === "execution-denied" ? { type, reason: "no" } : { type, value };
      const { id, name } = step.calls[at]!;
      return { type: "tool-result", toolCallId: id, toolName: name, output, ...more };
    });
    // One tool message, or one for each.
    const tools = step.results[0]!.failed
      ? [{ role: "tool", content: results, ...more }]
      : results.map((result) => ({ role: "tool", content: [result] }));
    return [{ role: "assistant", content, ...more }, ...tools];
  }),
}));

const signed = maybe({ thoughtSignature: base64 });
const geminiText = and(block({ text: word }), signed);
const geminiFile = fc.oneof(
  block({ inlineData: fc.record({ mimeType: is("image/png"), data: base64 }) }),
  is({ fileData: { fileUri: "gs://a", mimeType: "image/png" } }),
  is({ fileData: { fileUri: "gs://a" } }),
);

/** `{systemInstruction?, contents}` of Gemini. */
export const geminiRequests: fc.Arbitrary<Members> = fc.record({
  systemInstruction: fc.option(
    fc.oneof(
      word,
      is({ parts: [{ text: "s" }] }),
      is({ role: "system", parts: [{ text: "s" }, { text: "t" }] }),
      is([{ text: "s" }]),
    ),
    { nil: undefined },
  ),
  steps: steps({
    said: fc.oneof(geminiText, geminiFile),
    answered: fc.oneof(
      geminiText,
      and(block({ text: word, thought: is(true) }), signed),
      is({ executableCode: { language: "PYTHON", code: "1" } }),
    ),
    output: is({}),
    message: is({}),
    result: is({}),
  }),
  ids: fc.boolean(),
  inputs: fc.array(json, { minLength: 3, maxLength: 3 }),
  signatures: fc.array(signed, { minLength: 3, maxLength: 3 }),
}).map(({ systemInstruction, steps, ids, inputs, signatures }) => ({
  ...(systemInstruction === undefined ? {} : { systemInstruction }),
  contents: steps.flatMap((step): Members[] => {
    if (step.said) return [{ role: "user", parts: step.said }];
    if (step.calls.length === 0) return [{ role: "model", parts: step.answer }];
    const parts = withCalls(step, (id, name, at) => ({
      functionCall: { ...(ids ? { id } : {}), name, args: inputs[at] },
      ...signatures[at],
    }));
    // Without ids, the calls of a tool are told apart by their order alone.
    const order = ids ? step.order : step.order.map((_, index) => index);
    const called = parts.flatMap((part) => {
      const call = (part as { functionCall?: { id?: string; name: string } }).functionCall;
      return call === undefined ? [] : [call];
    });
    const results = order.map((at) => {
      const { id, name } = called[at]!;
      const { text, failed } = step.results[at]!;
      const response = failed
        ? { error: text ?? { code: 1 } }
        : text === undefined
        ? inputs[at]
        : { output: text };
      return { functionResponse: { ...(id === undefined ? {} : { id }), name, response } };
    });
    return [{ role: "model", parts }, {
      role: step.results[0]!.failed ? "function" : "user",
      parts: results,
    }];
  }),
}));

const bytes = fc.uint8Array({ maxLength: 3 }).map((given) => new Uint8Array(given));
const bedrockText = fc.oneof(fc.record({ text: word }), is({ cachePoint: { type: "default" } }));
const bedrockFile = fc.oneof(
  fc.record({
    image: fc.record({ format: fc.constantFrom("png", "jpeg"), source: fc.record({ bytes }) }),
  }),
  fc.record({
    document: block({
      format: fc.constantFrom("pdf", "csv"),
      source: fc.record({ bytes }),
      name: is("d"),
    }, {
      citations: is({ enabled: true }),
    }),
  }),
  is({ image: { format: "png", source: { s3Location: { uri: "s3://a" } } } }),
);

/** `{system?, messages}` of Bedrock's Converse. */
export const bedrockRequests: fc.Arbitrary<Members> = fc.record({
  system: fc.option(fc.array(bedrockText, { minLength: 1, maxLength: 2 }), { nil: undefined }),
  steps: steps({
    said: fc.oneof(bedrockText, bedrockFile),
    answered: fc.oneof(
      bedrockText,
      fc.record({
        reasoningContent: fc.oneof(
          fc.record({ reasoningText: fc.record({ text: word, signature: base64 }) }),
          fc.record({ redactedContent: bytes }),
        ),
      }),
    ),
    output: fc.oneof(fc.record({ text: word }), bedrockFile, fc.record({ json })),
    message: is({}),
    result: is({}),
  }),
  inputs: fc.array(json, { minLength: 3, maxLength: 3 }),
}).map(({ system, steps, inputs }) => ({
  ...(system === undefined ? {} : { system }),
  messages: steps.flatMap((step): Members[] => {
    if (step.said) return [{ role: "user", content: step.said }];
    if (step.calls.length === 0) return [{ role: "assistant", content: step.answer }];
    const content = withCalls(step, (toolUseId, name, at) => ({
      toolUse: { toolUseId, name, input: inputs[at] },
    }));
    const results = step.order.map((at) => {
      const { blocks, failed, text } = step.results[at]!;
      const status = failed ? { status: "error" } : at === 0 ? {} : { status: "success" };
      const list = text === "" ? [] : blocks;
      return { toolResult: { toolUseId: step.calls[at]!.id, content: list, ...status } };
    });
    return [{ role: "assistant", content }, { role: "user", content: results }];
  }),
}));

const inputPart = fc.oneof(
  fc.record({ type: is("input_text"), text: word }),
  block({
    type: is("input_image"),
    image_url: fc.oneof(
      base64.map((data) => `data:image/png;base64,${data}`),
      is("https://e.com/a"),
    ),
  }, { detail: fc.constantFrom("auto", "high") }),
  is({ type: "input_file", file_id: "f1" }),
  block({ type: is("input_file"), file_data: is("data:application/pdf;base64,AAEC") }, {
    filename: is("a.pdf"),
  }),
);

/** `{instructions?, input}` of OpenAI's Responses; calls and outputs in any order. */
export const responsesRequests: fc.Arbitrary<Members> = fc.record({
  instructions: fc.option(word, { nil: undefined }),
  roles: fc.array(fc.constantFrom("user", "system", "developer"), { minLength: 6, maxLength: 6 }),
  steps: steps({
    said: inputPart,
    answered: fc.oneof(
      block({
        type: is("reasoning"),
        id: is("rs_1"),
        summary: fc.constantFrom([], [{ type: "summary_text", text: "s" }], [{
          type: "summary_text",
          text: "s",
        }, { type: "summary_text", text: "t" }]),
      }, {
        encrypted_content: fc.constantFrom("gAAA", null),
      }),
      fc.record({ role: is("assistant"), content: word }),
      block({
        type: is("message"),
        id: is("msg_1"),
        role: is("assistant"),
        status: is("completed"),
        content: fc.oneof(
          word.map((text) => [{ type: "output_text", text, annotations: [] }]),
          word.map((text) => [{ type: "output_text", text, annotations: [], logprobs: [] }]),
          is([]),
          is([{ type: "refusal", refusal: "no" }, {
            type: "output_text",
            text: "a",
            annotations: [1],
          }]),
        ),
      }),
      is({ type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search" } }),
      is({ type: "item_reference", id: "x" }),
    ),
    output: inputPart,
    message: maybe({ type: is("message") }),
    result: maybe({ id: is("fco_1"), status: is("completed") }),
  }),
  inputs: fc.array(fc.constantFrom('{"a":1}', '{ "a": 1.0 }', "not json", ""), {
    minLength: 3,
    maxLength: 3,
  }),
}).map(({ instructions, roles, steps, inputs }) => {
  const late: Members[] = [];
  const input = steps.flatMap((step, index): Members[] => {
    if (step.said) return [{ role: roles[index], content: step.text ?? step.said, ...step.more }];
    const items = withCalls(step, (id, name, at) => ({
      type: "function_call",
      call_id: `${id}_${index}`,
      name,
      arguments: inputs[at],
      ...step.results[at]!.more,
    })) as Members[];
    const results = step.order.map((at) => {
      const { blocks, text, more } = step.results[at]!;
      const call_id = `${step.calls[at]!.id}_${index}`;
      return { type: "function_call_output", call_id, output: text ?? blocks, ...more };
    });
    // Some outputs come after other messages.
    if (step.results[0]!.failed) late.push(...results.splice(1));
    return [...items, ...results];
  });
  return { ...(instructions === undefined ? {} : { instructions }), input: [...input, ...late] };
});

/** `{items}` of OpenAI's Agents SDK; results in any order, some after other items. */
export const agentsRequests: fc.Arbitrary<Members> = responsesRequests.map(({ input }) => ({
  items: (input as Members[]).map(agentsItem),
}));

/** The item of the SDK that says what an item of a response says. */
function agentsItem({ call_id, output, summary, ...item }: Members): Members {
  if (item.type === "function_call") return { ...item, callId: call_id };
  if (item.type === "function_call_output") {
    const blocks: Members[] = Array.isArray(output) ? output : [];
    const [only] = blocks;
    const value = only?.type === "input_text" && blocks.length === 1
      ? { ...only, type: "text" }
      : output;
    return {
      ...item,
      type: "function_call_result",
      callId: call_id,
      name: String(call_id).startsWith("c2") ? "other" : "read",
      output: Array.isArray(value) ? value.map(agentsBlock) : value,
    };
  }
  if (item.type === "reasoning") {
    const texts = summary as { text: string }[];
    const content = texts.map(({ text }) => ({ type: "input_text", text }));
    return { ...item, content, providerData: { encrypted_content: "gAAA" } };
  }
  const { role = item.type === undefined ? "user" : undefined, content } = item;
  const named = role === undefined ? {} : { role: role === "developer" ? "system" : role };
  return {
    ...item,
    ...named,
    ...(Array.isArray(content) ? { content: content.map(agentsBlock) } : {}),
  };
}

function agentsBlock({ image_url, file_data, ...block }: Members): Members {
  return {
    ...block,
    ...(image_url === undefined ? {} : { image: image_url }),
    ...(file_data === undefined ? {} : { file: file_data }),
  };
}

/** `{messages}` of a chat of the AI SDK: every call has its result in its own part. */
export const uiRequests: fc.Arbitrary<Members> = fc.array(uiMessage, { maxLength: 4 }).map((
  list,
) => ({
  messages: list.map((message) => ({
    ...message,
    parts: (message.parts as Members[]).filter(({ state }) =>
      !/-(available|requested)$/.test(String(state)) || state === "output-available"
    ),
  })),
}));
