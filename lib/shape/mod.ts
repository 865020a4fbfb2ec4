/**
 * Messages in the shapes of providers: the types that `toMessages` gives, and a stream to them.
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
export type {
  AiSdkFilePart,
  AiSdkJson,
  AiSdkMessage,
  AiSdkOutputPart,
  AiSdkProviderOptions,
  AiSdkReasoningPart,
  AiSdkRequest,
  AiSdkTextPart,
  AiSdkToolCallPart,
  AiSdkToolOutput,
  AiSdkToolResultPart,
} from "./providers/ai_sdk.ts";
export type {
  AiSdkUiMessage,
  AiSdkUiPart,
  AiSdkUiRequest,
  AiSdkUiToolPart,
} from "./providers/ai_sdk_ui.ts";
export type {
  AnthropicAssistantBlock,
  AnthropicDocumentBlock,
  AnthropicImageBlock,
  AnthropicImageType,
  AnthropicMessage,
  AnthropicOutputBlock,
  AnthropicRedactedThinkingBlock,
  AnthropicRequest,
  AnthropicTextBlock,
  AnthropicThinkingBlock,
  AnthropicToolReferenceBlock,
  AnthropicToolResultBlock,
  AnthropicToolUseBlock,
  AnthropicUserBlock,
} from "./providers/anthropic.ts";
export type {
  BedrockBlock,
  BedrockImageFormat,
  BedrockJson,
  BedrockMessage,
  BedrockRequest,
  BedrockToolResult,
} from "./providers/bedrock.ts";
export type { GeminiContent, GeminiPart, GeminiRequest } from "./providers/gemini.ts";
export type {
  OpenAiAssistantMessage,
  OpenAiContentPart,
  OpenAiMessage,
  OpenAiRequest,
  OpenAiSystemMessage,
  OpenAiToolCall,
  OpenAiToolMessage,
  OpenAiUserMessage,
} from "./providers/openai.ts";
export type { AgentsContentPart, AgentsItem, AgentsRequest } from "./providers/openai_agents.ts";
export type {
  ResponsesContentPart,
  ResponsesItem,
  ResponsesRequest,
} from "./providers/openai_responses.ts";
export type { ShapedRequests } from "./shapes.ts";
