/**
 * The conversation in the form that a provider takes it.
 *
 * @module
 */
import type { Message } from "../event/message.ts";
import { pairCalls } from "./conversation/paired_messages.ts";
import { aiSdkMessages, type AiSdkRequest } from "./shape/ai_sdk.ts";
import { anthropicMessages, type AnthropicRequest } from "./shape/anthropic.ts";
import { joined } from "./shape/blank_text.ts";
import { openAiMessages, type OpenAiRequest } from "./shape/openai.ts";
import { runStage } from "./shape/stage.ts";
import { instructions } from "./shape/turn.ts";
import { wellFormed } from "./shape/well_formed.ts";

/** The result of each shape. */
export interface ShapedMessages {
  /** Our own messages. */
  plain: Message[];
  /** OpenAI chat completions, and what is compatible with it. */
  openai: OpenAiRequest;
  /** Anthropic messages. */
  anthropic: AnthropicRequest;
  /** `system` and `messages` (ModelMessage) of the AI SDK, versions 5 to 7. */
  "ai-sdk": AiSdkRequest;
}

/** Name of a shape. */
export type MessageShape = keyof ShapedMessages;

const SHAPERS: { [Shape in MessageShape]: (paired: Message[]) => ShapedMessages[Shape] } = {
  plain: (paired) => paired,
  openai: (paired) => ({ messages: runStage(openAiMessages(), paired) }),
  anthropic: (paired) => ({ ...systemOf(paired), messages: runStage(anthropicMessages(), paired) }),
  "ai-sdk": (paired) => ({ ...systemOf(paired), messages: runStage(aiSdkMessages(), paired) }),
};

function systemOf(paired: readonly Message[]): { system?: string } {
  const system = joined(paired.flatMap(instructions));
  return system === undefined ? {} : { system };
}

/** All shapes, plain first. */
export const MESSAGE_SHAPES = Object.keys(SHAPERS) as readonly MessageShape[];

/**
 * Converts messages to a provider's shape: a part of its request, `{ system?, messages }`, or our
 * own messages for `plain`.
 *
 * Whatever the messages are, in the result every call has exactly one result right after its message
 * (see {@linkcode pairCalls}) and no text holds a lone surrogate. But in `plain`, also: nothing blank
 * is sent, messages of one role in a row are one message, call ids are unique and, like the names of
 * tools, of the characters and the length that all providers take, the input of a call is an object
 * (`{ input: value }` around anything else), and an attachment that the provider does not take, or
 * that has no data here, is a line of text that says so. Images in results stay there for Anthropic
 * and the AI SDK; for OpenAI, which takes none there, they follow as the user's.
 *
 * Reasoning goes to OpenAI only where `provider_data` is `{ type: "reasoning_content" }`, and to
 * Anthropic only with its signature (`{ signature }`) or as it came (`{ type: "redacted_thinking",
 * data }`); reasoning that nothing follows is left out. What is sent after a signed thinking must be
 * sent behind the same system prompt, tools and messages as it came from.
 *
 * @param messages A conversation, in any state. It is not changed.
 * @param shape Whose form.
 * @returns New values that share nothing with `messages`. `messages` is empty if nothing is left.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { toMessages } from "@reprise/reprise";
 *
 * const messages = [{ role: "system" as const, content: "Be brief." }, { role: "user" as const, content: "Hi" }];
 * assert.deepEqual(toMessages(messages, "anthropic"), {
 *   system: "Be brief.",
 *   messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
 * });
 * ```
 */
export function toMessages<Shape extends MessageShape>(
  messages: readonly Message[],
  shape: Shape,
): ShapedMessages[Shape] {
  return SHAPERS[shape](wellFormed(pairCalls(messages)));
}
