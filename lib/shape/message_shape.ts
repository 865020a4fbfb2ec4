/**
 * The conversation in the form that a provider takes it.
 *
 * @module
 */
import { checkArgument, oneOf } from "../event/guard.ts";
import type { Message } from "../event/message.ts";
import { pairCalls } from "../projection/conversation/paired_messages.ts";
import { Instructions, type ShapedRequests, SHAPES } from "./shapes.ts";
import { runStage } from "./stage.ts";
import { wellFormed } from "./well_formed.ts";

/** The result of each shape. */
export interface ShapedMessages extends ShapedRequests {
  /** Our own messages. */
  plain: Message[];
}

/** Name of a shape. */
export type MessageShape = keyof ShapedMessages;

/** Name of a shape that is a part of a provider's request. */
export type RequestShape = keyof ShapedRequests;

/** All shapes, plain first. */
export const MESSAGE_SHAPES = ["plain", ...Object.keys(SHAPES)] as readonly MessageShape[];

/**
 * Makes sure that a shape is one.
 *
 * @throws {SessionError} `invalid-argument` with the names of all.
 */
export function checkShape(
  shape: unknown,
  shapes: readonly MessageShape[] = MESSAGE_SHAPES,
): void {
  checkArgument("convert messages", "shape", oneOf(...shapes), shape);
}

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
 * Messages that came in this very shape (see `fromMessages`) are given as they came instead; these
 * rules hold for all others. In the histories of SDKs, `ai-sdk-ui` and `openai-agents`, a call that
 * came so has no result until there is one.
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
  checkShape(shape);
  const paired = wellFormed(pairCalls(messages));
  if (shape === "plain") return paired as ShapedMessages[Shape];
  const { stage, list } = SHAPES[shape as RequestShape];
  const head = new Instructions(shape as RequestShape);
  for (const message of paired) head.add(message);
  const { member } = head;
  return {
    ...(member === undefined ? {} : { [member.name]: member.value }),
    [list]: runStage(stage(), paired),
  } as unknown as ShapedMessages[Shape];
}
