/**
 * Client for Anthropic's Messages API.
 *
 * @module
 */
import { type TokenUsage, toMessages } from "../../../../mod.ts";
import { present } from "../../../core/event/present.ts";
import { anthropicTokens } from "../../../text/shape/providers/anthropic_response.ts";
import { countOf, labelOf, objectOf, textOf } from "../json_object.ts";
import { askServer } from "./ask_server.ts";
import { endedEarly, type OpenStream, parseData, takeEvents } from "./event_source.ts";
import { streamError } from "./http.ts";
import type { CompletionOptions, ModelClient, ModelRequest, ModelResponse } from "./model.ts";
import type { AnswerDraft } from "./answer_draft.ts";

interface AnthropicClientOptions {
  /** Address of the API, without `/v1`. @default {"https://api.anthropic.com"} */
  base_url?: string | undefined;
  api_key: string;
  model: string;
  /** Size of the model's context window in tokens. @default {200000} */
  context_limit?: number | undefined;
  /** Maximum number of tokens of an answer, thinking included. @default {16384} */
  max_output?: number;
  /** Maximum number of tokens for thinking, at least 1024; absent for no thinking. */
  thinking_tokens?: number | undefined;
  /** Milliseconds without data after which an answer counts as cut off. @default {300000} */
  idle_ms?: number;
}

interface StreamFacts {
  model: string;
  done: boolean;
  usage: TokenUsage;
  message_id?: string;
  finish_reason?: string;
}

/**
 * Makes a client for Anthropic's Messages API. It tries each request once: see
 * {@linkcode retrying}.
 */
export function anthropicClient(options: AnthropicClientOptions): ModelClient {
  const { model, context_limit = 200_000 } = options;
  return {
    provider: "anthropic",
    model,
    context_limit,
    complete: (request, completion = {}) => complete(options, request, completion),
  };
}

function anthropicBody(
  { model, max_output = 16_384, thinking_tokens }: AnthropicClientOptions,
  { system, messages, tools }: ModelRequest,
): Record<string, unknown> {
  const head = system === undefined ? [] : [{ role: "system" as const, content: system }];
  const definitions = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: parameters,
  }));
  return {
    model,
    max_tokens: Math.max(max_output, (thinking_tokens ?? 0) + 1024),
    ...toMessages([...head, ...messages], "anthropic"),
    ...(definitions.length > 0 && { tools: definitions }),
    ...(thinking_tokens !== undefined &&
      { thinking: { type: "enabled", budget_tokens: thinking_tokens } }),
    stream: true,
  };
}

async function complete(
  options: AnthropicClientOptions,
  request: ModelRequest,
  completion: CompletionOptions,
): Promise<ModelResponse> {
  const { base_url = "https://api.anthropic.com", api_key, idle_ms, model } = options;
  const asked = {
    url: `${base_url.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1/messages`,
    headers: { "x-api-key": api_key, "anthropic-version": "2023-06-01" },
    body: anthropicBody(options, request),
    api_key,
    setting: "ANTHROPIC_BASE_URL",
    idle_ms,
  };
  return await askServer(asked, completion, async (stream, draft) => {
    return toResponse(draft, await readStream(stream, draft, model), stream.request_id);
  });
}

async function readStream(
  stream: OpenStream,
  draft: AnswerDraft,
  model: string,
): Promise<StreamFacts> {
  const facts: StreamFacts = { model, done: false, usage: {} };
  const complete = await takeEvents(stream, draft, (data) => {
    take(facts, draft, parseData(data));
    return facts.done;
  });
  if (complete) return facts;
  throw endedEarly();
}

function take(facts: StreamFacts, draft: AnswerDraft, event: Record<string, unknown>): void {
  const index = countOf(event.index) ?? 0;
  switch (event.type) {
    case "message_start":
      return start(facts, objectOf(event.message));
    case "content_block_start":
      return startBlock(draft, index, objectOf(event.content_block));
    case "content_block_delta":
      return takeDelta(draft, index, objectOf(event.delta));
    case "message_delta":
      Object.assign(facts.usage, anthropicTokens(event.usage));
      Object.assign(facts, present({ finish_reason: labelOf(objectOf(event.delta).stop_reason) }));
      return;
    case "message_stop":
      facts.done = true;
      return;
    case "error":
      throw streamError(event.error);
  }
}

function start(facts: StreamFacts, message: Record<string, unknown>): void {
  Object.assign(facts, present({ message_id: labelOf(message.id), model: labelOf(message.model) }));
  Object.assign(facts.usage, anthropicTokens(message.usage));
}

function startBlock(draft: AnswerDraft, index: number, block: Record<string, unknown>): void {
  if (block.type === "text") draft.addText(textOf(block.text) ?? "");
  else if (block.type === "thinking") draft.addReasoning(textOf(block.thinking) ?? "", index);
  else if (block.type === "redacted_thinking") {
    draft.addRedacted(textOf(block.data) ?? "", index);
  } else if (block.type === "tool_use") {
    draft.addCall(index, present({ id: textOf(block.id), name: textOf(block.name) }));
  }
}

function takeDelta(draft: AnswerDraft, index: number, delta: Record<string, unknown>): void {
  if (delta.type === "text_delta") draft.addText(textOf(delta.text) ?? "");
  else if (delta.type === "thinking_delta") draft.addReasoning(textOf(delta.thinking) ?? "", index);
  else if (delta.type === "input_json_delta") {
    draft.addCall(index, { json: textOf(delta.partial_json) ?? "" });
  } else if (delta.type === "signature_delta") {
    draft.signReasoning(textOf(delta.signature) ?? "", index);
  }
}

function toResponse(
  draft: AnswerDraft,
  { model, usage, message_id, finish_reason }: StreamFacts,
  request_id: string | undefined,
): ModelResponse {
  return {
    text: draft.text,
    reasoning: draft.reasoning(),
    calls: draft.calls(),
    model,
    provider: "anthropic",
    ...present({ message_id, finish_reason, request_id }),
    ...counted(usage),
  };
}

function counted(usage: TokenUsage): Pick<ModelResponse, "usage" | "context_used"> {
  const used = Object.values(usage).reduce((sum, count) => sum + (count ?? 0), 0);
  return used === 0 ? {} : { usage, context_used: used };
}
