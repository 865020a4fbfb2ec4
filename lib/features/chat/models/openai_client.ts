/**
 * A client for the chat completions API of OpenAI and of compatible servers.
 *
 * @module
 */
import { type TokenUsage, toMessages } from "../../../../mod.ts";
import { present } from "../../../core/event/present.ts";
import { countOf, labelOf, listOf, objectOf, textOf } from "../json_object.ts";
import { askServer } from "./ask_server.ts";
import { endedEarly, type OpenStream, parseData, takeEvents } from "./event_source.ts";
import { streamError } from "./http.ts";
import type { CompletionOptions, ModelClient, ModelRequest, ModelResponse } from "./model.ts";
import type { AnswerDraft } from "./answer_draft.ts";

interface OpenAiClientOptions {
  /** The address, including `/v1`. */
  base_url: string;
  api_key?: string | undefined;
  model: string;
  /** The service that runs the model, as stored in responses. @default {"openai"} */
  provider?: string;
  /** The context window's size in tokens. @default {128000} */
  context_limit?: number | undefined;
  /** Milliseconds without data after which a response counts as cut off. @default {300000} */
  idle_ms?: number;
}

interface StreamFacts {
  model: string;
  message_id?: string;
  finish_reason?: string;
  usage?: Record<string, unknown>;
}

/** Makes a client that sends each request only once: see {@linkcode retrying}. */
export function openAiClient(options: OpenAiClientOptions): ModelClient {
  const { model, provider = "openai", context_limit = 128_000 } = options;
  return {
    provider,
    model,
    context_limit,
    complete: (request, completion = {}) => complete(options, request, completion),
  };
}

function openAiBody(model: string, request: ModelRequest): Record<string, unknown> {
  const { system, messages, tools } = request;
  const head = system === undefined ? [] : [{ role: "system" as const, content: system }];
  return {
    model,
    ...toMessages([...head, ...messages], "openai"),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool) => ({ type: "function", function: { ...tool } })) }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

async function complete(
  options: OpenAiClientOptions,
  request: ModelRequest,
  completion: CompletionOptions,
): Promise<ModelResponse> {
  const { base_url, api_key, model, provider, idle_ms } = options;
  const asked = {
    url: `${base_url.replace(/\/+$/, "")}/chat/completions`,
    headers: api_key === undefined ? {} : { authorization: `Bearer ${api_key}` },
    body: openAiBody(model, request),
    api_key,
    setting: settingOf(provider),
    idle_ms,
  };
  return await askServer(asked, completion, async (stream, draft) => {
    return toResponse(options, draft, await readStream(stream, draft, model), stream.request_id);
  });
}

/** Returns the name of the environment variable that sets the server's address. */
function settingOf(provider: string | undefined): string {
  return provider === "ollama" ? "OLLAMA_HOST" : "OPENAI_BASE_URL";
}

async function readStream(
  stream: OpenStream,
  draft: AnswerDraft,
  model: string,
): Promise<StreamFacts> {
  const facts: StreamFacts = { model };
  const complete = await takeEvents(stream, draft, (data) => {
    if (data.trim() === "[DONE]") return true;
    take(facts, draft, parseData(data));
    return false;
  });
  if (complete || facts.finish_reason !== undefined) return facts;
  throw endedEarly();
}

function take(facts: StreamFacts, draft: AnswerDraft, chunk: Record<string, unknown>): void {
  if (chunk.error !== undefined && chunk.error !== null) throw streamError(chunk.error);
  Object.assign(facts, present({ message_id: labelOf(chunk.id) || undefined }));
  Object.assign(facts, present({ model: labelOf(chunk.model) || undefined }));
  if (typeof chunk.usage === "object" && chunk.usage !== null) facts.usage = objectOf(chunk.usage);
  const choice = objectOf(listOf(chunk.choices)[0]);
  const delta = objectOf(choice.delta);
  const reasoning = textOf(delta.reasoning_content) ?? textOf(delta.reasoning);
  if (reasoning !== undefined) draft.addReasoning(reasoning);
  draft.addText(textOf(delta.content) ?? "");
  for (const [position, call] of listOf(delta.tool_calls).entries()) {
    addCall(draft, objectOf(call), position);
  }
  const finish = labelOf(choice.finish_reason);
  if (finish !== undefined) facts.finish_reason = finish;
}

function addCall(draft: AnswerDraft, call: Record<string, unknown>, position: number): void {
  const { name, arguments: json } = objectOf(call.function);
  const input = typeof json === "object" && json !== null ? JSON.stringify(json) : textOf(json);
  const fragment = present({ id: textOf(call.id), name: textOf(name), json: input });
  draft.addCall(countOf(call.index) ?? position, fragment);
}

function toResponse(
  { model, provider = "openai" }: OpenAiClientOptions,
  draft: AnswerDraft,
  facts: StreamFacts,
  request_id: string | undefined,
): ModelResponse {
  // Between calls, reasoning models need their reasoning back; others get none.
  if (draft.has_calls && draft.reasoning().length > 0) {
    draft.sealReasoning({ type: "reasoning_content" });
  }
  const { message_id, finish_reason, usage } = facts;
  return {
    text: draft.text,
    reasoning: draft.reasoning(),
    calls: draft.calls(),
    model: facts.model || model,
    provider,
    ...present({ message_id, finish_reason, request_id }),
    ...(usage && counted(usage)),
  };
}

function counted(usage: Record<string, unknown>): Pick<ModelResponse, "usage" | "context_used"> {
  const input = countOf(usage.prompt_tokens);
  const output = countOf(usage.completion_tokens);
  const cached = countOf(objectOf(usage.prompt_tokens_details).cached_tokens);
  const tokens: TokenUsage = present({
    // OpenAI counts the whole prompt; our input excludes the cached part.
    input: input === undefined ? undefined : Math.max(0, input - (cached ?? 0)),
    output,
    cache_read: cached,
    // OpenAI neither charges nor counts it.
    cache_write: cached === undefined ? undefined : 0,
    reasoning: countOf(objectOf(usage.completion_tokens_details).reasoning_tokens),
  });
  const used = (input ?? 0) + (output ?? 0);
  return present({ usage: tokens, context_used: used > 0 ? used : undefined });
}
