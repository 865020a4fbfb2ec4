/**
 * The interface between a chat and its model, whichever server runs it.
 *
 * @module
 */
import type { Message, TokenUsage } from "../../../mod.ts";

/** A tool as the model is told of it. */
export interface ToolDefinition {
  /** The tool's name: letters, digits, `_` and `-`. */
  name: string;
  /** The purpose of the tool and its output, for the model. */
  description: string;
  /** JSON Schema of the input: an object. */
  parameters: Record<string, unknown>;
}

/** One request: the whole conversation, every time. */
export interface ModelRequest {
  /** Instructions, made anew for every request; no part of the conversation. */
  system?: string;
  /** The messages, as the `conversation` projection gives them. */
  messages: readonly Message[];
  /** The tools that the model may call; empty for none. */
  tools: readonly ToolDefinition[];
}

/** A live fragment of a response. Never kept. */
export type ModelDelta =
  | { type: "text" | "reasoning"; text: string }
  /** More of a call's input as JSON; `name` comes with the first fragment of its `index`. */
  | { type: "call"; index: number; name?: string; text: string };

/** A try that failed and is made again. */
export interface RetryNotice {
  /** Number of the try that failed, from 1. */
  attempt: number;
  /** Milliseconds until the next one. */
  wait_ms: number;
  /** Why it failed, in words. */
  message: string;
}

/** Options of a request that are not sent. */
export interface CompletionOptions {
  /** Ends the request: it rejects with `ModelError` of code `aborted`. */
  signal?: AbortSignal;
  /** Gets the fragments as they come. */
  onDelta?: (delta: ModelDelta) => void;
  /** Told before a failed request is tried again. */
  onRetry?: (notice: RetryNotice) => void;
}

/** A call in a response. */
export interface ModelCall {
  /** The provider's, or made up where it gave none. */
  call_id: string;
  /** The tool's name as the model wrote it: there may be no such tool. */
  name: string;
  /** Parsed JSON; the text itself where it is none. */
  input: unknown;
  /** The JSON text as the model wrote it, where `JSON.stringify` writes another of the input. */
  input_text?: string;
}

/** A stretch of reasoning. */
export interface ModelReasoning {
  /** The reasoning, as far as the provider shows it; may be empty. */
  text: string;
  /** Data to send back with the reasoning, as `toMessages` takes it. */
  provider_data?: unknown;
}

/** The part of a response that came before it broke off. Calls are not in it: none was complete. */
export interface PartialResponse {
  /** The text as shown; may be empty. */
  text: string;
  /** The reasoning as shown; may be empty. */
  reasoning: string;
}

/** A complete response. */
export interface ModelResponse {
  /** The provider's id of the response; not every provider's ids are unique. */
  message_id?: string;
  /** All that it said; `""` where it only calls. */
  text: string;
  /** In order; empty where there is none. */
  reasoning: ModelReasoning[];
  /** In order; empty where it calls nothing. */
  calls: ModelCall[];
  /** The tokens, as the provider counts them. */
  usage?: TokenUsage;
  /** Tokens of the window taken after this response; absent where the provider counts none. */
  context_used?: number;
  /** In the provider's word: `stop`, `tool_use`. */
  finish_reason?: string;
  /** The provider's name of the model, which may be more exact than the one asked for. */
  model: string;
  /** The service that answered: `openai`, `anthropic`, `ollama`, `mock`. */
  provider: string;
  /** The provider's id of the request, for its support. */
  request_id?: string;
}

/** A model to talk to. */
export interface ModelClient {
  /** The service that runs the model. */
  readonly provider: string;
  /** Its name there. */
  readonly model: string;
  /** Tokens that its window holds, as far as known or assumed. */
  readonly context_limit: number;
  /**
   * Asks the model and resolves when its response is complete.
   *
   * @throws {ModelError} Whatever goes wrong, an abort included; with what had come so far.
   */
  complete(request: ModelRequest, options?: CompletionOptions): Promise<ModelResponse>;
}
