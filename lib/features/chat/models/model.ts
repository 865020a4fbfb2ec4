/**
 * The interface between a chat and its model, on any server.
 *
 * @module
 */
import type { Message, TokenUsage } from "../../../../mod.ts";

export interface ToolDefinition {
  /** The tool's name: letters, digits, `_` and `-`. */
  name: string;
  description: string;
  /** JSON Schema of the tool's input, which is an object. */
  parameters: Record<string, unknown>;
}

/** One request: the whole conversation, every time. */
export interface ModelRequest {
  /** Instructions, made anew for every request and no part of the conversation. */
  system?: string;
  /** The messages, as the `conversation` projection gives them. */
  messages: readonly Message[];
  tools: readonly ToolDefinition[];
}

/** A live fragment of a response, which is not stored. */
export type ModelDelta =
  | { type: "text" | "reasoning"; text: string }
  /** A part of a call's input, as JSON. The first part of each `index` also has the `name`. */
  | { type: "call"; index: number; name?: string; text: string };

interface RetryNotice {
  /** Number of the failed attempt, from 1. */
  attempt: number;
  wait_ms: number;
  message: string;
}

export interface CompletionOptions {
  /** Ends the request, which then rejects with a `ModelError` of code `aborted`. */
  signal?: AbortSignal | undefined;
  onDelta?: (delta: ModelDelta) => void;
  onRetry?: (notice: RetryNotice) => void;
}

export interface ModelCall {
  /** The provider's id, or a generated one. */
  call_id: string;
  /** The tool's name as the model wrote it, which may be unknown. */
  name: string;
  /** Parsed JSON; the text itself if it is invalid. */
  input: unknown;
  /** The JSON text as the model wrote it, if `JSON.stringify` gives a different text. */
  input_text?: string;
}

export interface ModelReasoning {
  /** The reasoning that the provider shows; may be empty. */
  text: string;
  /** Data to send back with the reasoning, as `toMessages` takes it. */
  provider_data?: unknown;
}

/** The beginning of a broken response. It has no calls, because none was complete. */
export interface PartialResponse {
  text: string;
  reasoning: string;
}

export interface ModelResponse {
  /** The provider's id of the response, which need not be unique. */
  message_id?: string;
  /** The whole text; `""` if there are only calls. */
  text: string;
  reasoning: ModelReasoning[];
  calls: ModelCall[];
  usage?: TokenUsage;
  /** Number of context tokens in use after this response; absent if the provider counts none. */
  context_used?: number;
  /** The provider's word for why the response ended, such as `stop` or `tool_use`. */
  finish_reason?: string;
  /** The provider's name of the model, which may be more exact than the requested one. */
  model: string;
  /** The service that answered: `openai`, `anthropic`, `ollama`, `mock`. */
  provider: string;
  /** The provider's id of the request, for its support. */
  request_id?: string;
}

export interface ModelClient {
  readonly provider: string;
  readonly model: string;
  /** Size of the model's context window in tokens, known or assumed. */
  readonly context_limit: number;
  /**
   * Asks the model and resolves when its response is complete.
   *
   * @throws {ModelError} On any failure or an abort, with the partial response.
   */
  complete(request: ModelRequest, options?: CompletionOptions): Promise<ModelResponse>;
}
