/**
 * What the providers' published rules say of the messages of a request, and what their servers
 * answer when they are broken. Works on the JSON alone and knows nothing of how it was made.
 */

type Json = Record<string, unknown>;
type Report = (at: string, fault: string) => void;

/** Python's idea of white space, which is what the servers strip. */
// deno-lint-ignore no-control-regex
const WHITE_SPACE = /[\s\x1c-\x1f\x85]/g;
const ID = /^[a-zA-Z0-9_-]{1,40}$/;
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** What OpenAI's chat completions refuse. */
export function openAiFaults(request: unknown): string[] {
  return faultsOf(request, ["messages"], (messages, report) => {
    messages.forEach((message, index) => openAiMessage(message, `messages.${index}`, report));
    const calls = messages.map((message) => list(message.tool_calls));
    const results = messages.map((message) => message.role === "tool" ? [message] : []);
    pairFaults(
      calls.map((items) => items.map(({ id }) => id)),
      results.map((items) => items.map(({ tool_call_id }) => tool_call_id)),
      report,
    );
  });
}

/** What Anthropic's messages refuse. */
export function anthropicFaults(request: unknown): string[] {
  return faultsOf(request, ["system", "messages"], (messages, report) => {
    systemFaults(request as Json, report);
    messages.forEach((message, index) => {
      if (message.role !== (index % 2 === 0 ? "user" : "assistant")) {
        report(`messages.${index}`, "roles do not take turns from user on");
      }
      anthropicMessage(message, `messages.${index}`, report);
    });
    anthropicPairs(messages, report);
    finalFaults(messages.at(-1), report);
  });
}

/** What a ModelMessage may not be, and what the providers behind the AI SDK refuse. */
export function aiSdkFaults(request: unknown): string[] {
  return faultsOf(request, ["system", "messages"], (messages, report) => {
    systemFaults(request as Json, report);
    messages.forEach((message, index) => aiSdkMessage(message, `messages.${index}`, report));
    const named = (message: Json, type: string) =>
      list(message.content).filter((part) => part.type === type)
        .map(({ toolCallId, toolName }) => `${toolCallId} ${toolName}`);
    pairFaults(
      messages.map((message) => named(message, "tool-call")),
      messages.map((message) => named(message, "tool-result")),
      report,
    );
    const ids = messages.flatMap(({ content }) =>
      list(content).flatMap((part) => part.type === "tool-call" ? part.toolCallId : [])
    );
    if (new Set(ids).size < ids.length) report("messages", "ids of calls repeat");
  });
}

/** What the items of OpenAI's Responses may not be. */
export function responsesFaults(request: unknown): string[] {
  const { input, instructions: _, ...rest } = request as Json;
  return itemFaults({ messages: input, ...rest }, "function_call_output", "call_id");
}

/** What the items of OpenAI's Agents SDK may not be. */
export function agentsFaults(request: unknown): string[] {
  const { items, ...rest } = request as Json;
  return itemFaults({ messages: items, ...rest }, "function_call_result", "callId");
}

function itemFaults(request: Json, resultType: string, id: string): string[] {
  return faultsOf(request, ["messages"], (items, report) => {
    const calls = items.filter(({ type }) => type === "function_call");
    const results = items.filter(({ type }) => type === resultType);
    const ids = (list: Json[]) => list.map((item) => String(item[id]));
    if (ids(calls).join() !== ids(results).join()) report("input", "calls without results");
    if (new Set(ids(calls)).size < calls.length) report("input", "ids of calls repeat");
    for (const { arguments: text } of calls) JSON.parse(String(text));
  });
}

/** What the messages of a chat of the AI SDK may not be. */
export function uiFaults(request: unknown): string[] {
  return faultsOf(request, ["messages"], (messages, report) => {
    const ids = messages.map(({ id }) => id);
    if (new Set(ids).size < ids.length) report("messages", "ids of messages repeat");
    const parts = messages.flatMap((message) => list(message.parts));
    const calls = parts.filter(({ type }) => type === "dynamic-tool");
    const names = calls.map(({ toolCallId }) => toolCallId);
    if (new Set(names).size < calls.length) report("messages", "ids of calls repeat");
    for (const { state } of calls) {
      if (state !== "output-available" && state !== "output-error") report("messages", "open call");
    }
    if (messages.some((message) => list(message.parts).length === 0)) {
      report("messages", "no parts");
    }
  });
}

/** What Gemini's contents refuse. */
export function geminiFaults(request: unknown): string[] {
  const { contents, systemInstruction: _, ...rest } = request as Json;
  return faultsOf({ messages: contents, ...rest }, ["messages"], (contents, report) => {
    turnFaults(contents.map(({ role }) => role), ["user", "model"], report);
    const ids = (content: Json, name: string) =>
      list(content.parts).flatMap((part) => name in part ? [(part[name] as Json).id] : []);
    pairFaults(
      contents.map((content) => ids(content, "functionCall")),
      contents.map((content) => ids(content, "functionResponse")),
      report,
    );
  });
}

/** What Bedrock's Converse refuses. */
export function bedrockFaults(request: unknown): string[] {
  const { system: _, ...rest } = request as Json;
  return faultsOf(rest, ["messages"], (messages, report) => {
    turnFaults(messages.map(({ role }) => role), ["user", "assistant"], report);
    const ids = (message: Json, name: string) =>
      list(message.content).flatMap((part) => name in part ? [(part[name] as Json).toolUseId] : []);
    pairFaults(
      messages.map((message) => ids(message, "toolUse")),
      messages.map((message) => ids(message, "toolResult")),
      report,
    );
  });
}

function turnFaults(
  roles: readonly unknown[],
  sides: readonly string[],
  report: (at: string, fault: string) => void,
): void {
  roles.forEach((role, index) => {
    if (role !== sides[index % 2]) report(`messages.${index}`, "roles do not take turns");
  });
}

/** What is wrong with the order of calls and results in our own messages. */
export function plainFaults(messages: unknown): string[] {
  return faultsOf({ messages }, ["messages"], (items, report) => {
    const ids = (message: Json, type: string) =>
      list(message.content).filter((part) => part.type === type).map(({ call_id }) => call_id);
    items.forEach((message, index) => {
      const at = `messages.${index}`;
      if (message.role !== "assistant" && ids(message, "tool_call").length > 0) {
        report(at, "a call that is not the assistant's");
      }
      if (message.role !== "tool") {
        if (ids(message, "tool_result").length > 0) report(at, "a result outside a tool message");
      } else if (list(message.content).some(({ type }) => type !== "tool_result")) {
        report(at, "a tool message holds more than results");
      }
    });
    pairFaults(
      items.map((message) => ids(message, "tool_call")),
      items.map((message) => ids(message, "tool_result")),
      report,
      { uniqueIds: false },
    );
  });
}

function faultsOf(
  request: unknown,
  fields: string[],
  check: (messages: Json[], report: Report) => void,
): string[] {
  const faults: string[] = [];
  const report: Report = (at, fault) => void faults.push(`${at}: ${fault}`);
  loneSurrogates(request, "request", report);
  if (!isObject(request) || !Array.isArray(request.messages)) return ["request: no messages"];
  only(request, fields, "request", report);
  if (request.messages.some((message) => !isObject(message))) return ["messages: not all objects"];
  check(request.messages, report);
  return faults;
}

function loneSurrogates(value: unknown, at: string, report: Report): void {
  if (typeof value === "string") {
    // Pairs are one code point here, so that only halves match.
    if (/\p{Surrogate}/u.test(value)) report(at, "a lone surrogate");
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      loneSurrogates(key, `${at} key`, report);
      loneSurrogates(member, `${at}.${key}`, report);
    }
  }
}

/** Calls of a message are answered in order, each once, before anything else is said. */
function pairFaults(
  calls: unknown[][],
  results: unknown[][],
  report: Report,
  { uniqueIds = true } = {},
): void {
  let awaited: unknown[] = [];
  calls.forEach((made, index) => {
    const at = `messages.${index}`;
    const given = results[index] ?? [];
    for (const id of given) {
      if (awaited.length === 0) report(at, `a result of no call: ${id}`);
      else if (awaited.shift() !== id) report(at, `a result out of order: ${id}`);
    }
    if (given.length === 0 && awaited.length > 0) report(at, `calls without result: ${awaited}`);
    if (given.length === 0 || made.length > 0) awaited = [...made];
  });
  if (awaited.length > 0) report("messages", `calls without result at the end: ${awaited}`);
  const all = calls.flat();
  if (uniqueIds && new Set(all).size < all.length) report("messages", "ids of calls repeat");
}

function openAiMessage(message: Json, at: string, report: Report): void {
  const { role, content } = message;
  if (role === "system") {
    only(message, ["role", "content"], at, report);
    visible(content, at, report);
  } else if (role === "user") {
    only(message, ["role", "content"], at, report);
    if (!Array.isArray(content)) visible(content, at, report);
    else if (content.length === 0) report(at, "no content");
    else content.forEach((part, index) => openAiPart(part, `${at}.${index}`, report));
  } else if (role === "assistant") {
    only(message, ["role", "content", "tool_calls", "reasoning_content"], at, report);
    if (content !== null) visible(content, at, report);
    else if (message.tool_calls === undefined) report(at, "neither content nor calls");
    openAiCalls(message, at, report);
  } else if (role === "tool") {
    only(message, ["role", "content", "tool_call_id"], at, report);
    visible(content, at, report);
  } else report(at, `unknown role ${role}`);
}

function openAiPart(part: Json, at: string, report: Report): void {
  if (part.type === "text") visible(part.text, at, report);
  else if (part.type === "image_url") {
    dataUrl((part.image_url as Json).url, IMAGE_TYPES, at, report);
  } else if (part.type === "file") {
    const { filename, file_data } = part.file as Json;
    visible(filename, at, report);
    dataUrl(file_data, ["application/pdf"], at, report);
  } else report(at, `unknown part ${part.type}`);
}

function openAiCalls(message: Json, at: string, report: Report): void {
  if (message.tool_calls === undefined) return;
  if (list(message.tool_calls).length === 0) report(at, "tool_calls is empty");
  for (const call of list(message.tool_calls)) {
    only(call, ["id", "type", "function"], at, report);
    matches(call.id, ID, at, report);
    if (call.type !== "function") report(at, "not a function call");
    const { name, arguments: input } = call.function as Json;
    matches(name, NAME, at, report);
    if (!isObject(JSON.parse(input as string))) report(at, "arguments are not an object");
    else loneSurrogates(JSON.parse(input as string), `${at} arguments`, report);
  }
}

function anthropicMessage(message: Json, at: string, report: Report): void {
  only(message, ["role", "content"], at, report);
  const blocks = list(message.content);
  if (blocks.length === 0) report(at, "no content");
  const allowed = message.role === "user"
    ? ["text", "image", "document", "tool_result"]
    : ["text", "thinking", "redacted_thinking", "tool_use"];
  blocks.forEach((block, index) => {
    const place = `${at}.${index}`;
    if (!allowed.includes(block.type as string)) report(place, `${block.type} is not allowed here`);
    anthropicBlock(block, place, report);
  });
  const last = blocks.at(-1)?.type;
  if (last === "thinking" || last === "redacted_thinking") report(at, `ends with ${last}`);
}

function anthropicBlock(block: Json, at: string, report: Report): void {
  if (block.type === "text") visible(block.text, at, report);
  if (block.type === "thinking") {
    only(block, ["type", "thinking", "signature"], at, report);
    if (typeof block.thinking !== "string") report(at, "no thinking");
    visible(block.signature, at, report);
  }
  if (block.type === "redacted_thinking") visible(block.data, at, report);
  if (block.type === "tool_use") {
    only(block, ["type", "id", "name", "input"], at, report);
    matches(block.id, ID, at, report);
    matches(block.name, NAME, at, report);
    if (!isObject(block.input)) report(at, "input is not an object");
  }
  if (block.type === "tool_result") anthropicResult(block, at, report);
  if (block.type === "image") base64Source(block, IMAGE_TYPES, at, report);
  if (block.type === "document") base64Source(block, ["application/pdf"], at, report);
}

function anthropicResult({ content, is_error }: Json, at: string, report: Report): void {
  if (!Array.isArray(content)) return visible(content, at, report);
  if (content.length === 0) report(at, "no content");
  if (is_error) report(at, "blocks in an error");
  for (const block of list(content)) {
    if (!["text", "image", "document"].includes(block.type as string)) {
      report(at, `${block.type} is not allowed in a result`);
    }
    anthropicBlock(block, at, report);
  }
}

function anthropicPairs(messages: Json[], report: Report): void {
  const blocks = messages.map((message) => list(message.content));
  blocks.forEach((items, index) => {
    const results = items.filter(({ type }) => type === "tool_result").length;
    if (items.slice(0, results).some(({ type }) => type !== "tool_result")) {
      report(`messages.${index}`, "results are not first");
    }
    const calls = items.filter(({ type }) => type === "tool_use").length;
    if (items.slice(items.length - calls).some(({ type }) => type !== "tool_use")) {
      report(`messages.${index}`, "calls are not last");
    }
  });
  pairFaults(
    blocks.map((items) => items.filter(({ type }) => type === "tool_use").map(({ id }) => id)),
    blocks.map((items) =>
      items.flatMap((item) => item.type === "tool_result" ? item.tool_use_id : [])
    ),
    report,
  );
}

function finalFaults(last: Json | undefined, report: Report): void {
  const block = list(last?.content).at(-1);
  if (last?.role !== "assistant" || typeof block?.text !== "string") return;
  if (visibleText(block.text.slice(-1)) === "") report("messages", "ends with white space");
}

function aiSdkMessage(message: Json, at: string, report: Report): void {
  only(message, ["role", "content"], at, report);
  const allowed: Record<string, string[]> = {
    user: ["text", "file"],
    assistant: ["text", "reasoning", "tool-call"],
    tool: ["tool-result"],
  };
  const parts = list(message.content);
  if (parts.length === 0) report(at, "no content");
  if (parts.at(-1)?.type === "reasoning") report(at, "ends with reasoning");
  parts.forEach((part, index) => {
    const place = `${at}.${index}`;
    if (!allowed[message.role as string]?.includes(part.type as string)) {
      report(place, `${part.type} is not allowed in ${message.role}`);
    }
    if (part.type !== "tool-call" && parts[index - 1]?.type === "tool-call") {
      report(place, "calls are not last");
    }
    aiSdkPart(part, place, report);
  });
}

function aiSdkPart(part: Json, at: string, report: Report): void {
  if (part.type === "text") visible(part.text, at, report);
  if (part.type === "file") {
    only(part, ["type", "mediaType", "filename", "data"], at, report);
    base64(part.mediaType, part.data, [...IMAGE_TYPES, "application/pdf"], at, report);
  }
  if (part.type === "reasoning") {
    only(part, ["type", "text", "providerOptions"], at, report);
    const options = part.providerOptions;
    if (typeof part.text !== "string") report(at, "no text");
    if (options === undefined) visible(part.text, at, report);
    else if (!isObject(options) || !Object.values(options).every(isObject)) {
      report(at, "providerOptions are not objects by provider");
    }
  }
  if (part.type === "tool-call" || part.type === "tool-result") {
    matches(part.toolCallId, ID, at, report);
    matches(part.toolName, NAME, at, report);
  }
  if (part.type === "tool-call" && !isObject(part.input)) report(at, "input is not an object");
  if (part.type === "tool-result") {
    aiSdkOutput(part.output as Json, at, report);
  }
}

function aiSdkOutput({ type, value }: Json, at: string, report: Report): void {
  if (type === "json" || type === "error-json") return;
  if (type !== "content") {
    if (type !== "text" && type !== "error-text") report(at, `unknown output ${type}`);
    return visible(value, at, report);
  }
  if (list(value).length === 0) report(at, "no content");
  for (const part of list(value)) {
    if (part.type === "text") visible(part.text, at, report);
    else if (part.type === "file-data") {
      only(part, ["type", "data", "mediaType", "filename"], at, report);
      base64(part.mediaType, part.data, [...IMAGE_TYPES, "application/pdf"], at, report);
    } else report(at, `unknown part ${part.type} in a result`);
  }
}

function systemFaults({ system }: Json, report: Report): void {
  if (system !== undefined) visible(system, "system", report);
}

function visible(value: unknown, at: string, report: Report): void {
  if (typeof value !== "string") report(at, "is not a text");
  else if (visibleText(value) === "") report(at, "text is blank");
}

function visibleText(text: string): string {
  return text.replaceAll(WHITE_SPACE, "");
}

function matches(value: unknown, pattern: RegExp, at: string, report: Report): void {
  if (typeof value !== "string" || !pattern.test(value)) report(at, `${value} is not ${pattern}`);
}

function dataUrl(url: unknown, types: string[], at: string, report: Report): void {
  const [, type, data] = /^data:([^;]+);base64,(.*)$/.exec(String(url)) ?? [];
  base64(type, data, types, at, report);
}

function base64Source(block: Json, types: string[], at: string, report: Report): void {
  const { type, media_type, data } = block.source as Json;
  if (type !== "base64") report(at, "source is not base64");
  base64(media_type, data, types, at, report);
}

function base64(type: unknown, data: unknown, types: string[], at: string, report: Report): void {
  if (!types.includes(type as string)) report(at, `media type ${type}`);
  try {
    if (atob(data as string) === "") report(at, "no data");
  } catch {
    // InvalidCharacterError: the text is no base64.
    report(at, "data is not base64");
  }
}

function only(value: Json, fields: string[], at: string, report: Report): void {
  for (const name of Object.keys(value)) if (!fields.includes(name)) report(at, `extra ${name}`);
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
