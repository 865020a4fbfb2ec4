/**
 * Messages in providers' shapes: the types that `toMessages` returns, and a converter for batches.
 *
 * @example Name a part of a request
 * ```ts
 * import assert from "node:assert/strict";
 * import { toMessages } from "@reprise/reprise";
 * import type { OpenAiMessage } from "@reprise/reprise/shapes";
 *
 * const { messages } = toMessages([{ role: "user", content: "Hi" }], "openai");
 * const [first]: OpenAiMessage[] = messages;
 * assert.equal(first?.role, "user");
 * ```
 *
 * @module
 */
export type { ResponseFacts } from "./kept/piece.ts";
export { MessageShaper, type RequestMessage, type RequestShape } from "./message_shape.ts";
export type { AiSdkJson, AiSdkMessage, AiSdkToolOutput } from "./providers/ai_sdk.ts";
export type { AiSdkUiMessage, AiSdkUiPart } from "./providers/ai_sdk_ui.ts";
export type {
  AnthropicAssistantBlock,
  AnthropicMessage,
  AnthropicOutputBlock,
  AnthropicUserBlock,
} from "./providers/anthropic.ts";
export type { BedrockBlock, BedrockJson, BedrockMessage } from "./providers/bedrock.ts";
export type { GeminiContent, GeminiPart } from "./providers/gemini.ts";
export type { OpenAiContentPart, OpenAiMessage } from "./providers/openai.ts";
export type { AgentsContentPart, AgentsItem } from "./providers/openai_agents.ts";
export type { ResponsesContentPart, ResponsesItem } from "./providers/openai_responses.ts";
export type { ShapedRequests } from "./shapes.ts";
