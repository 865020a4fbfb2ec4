/**
 * Converts a conversation to the form of a provider.
 *
 * @module
 */
import { checkArgument, fields, list as listOf, oneOf, textOr } from "../../core/event/guard.ts";
import type { Message } from "../../core/event/message.ts";
import { pairCalls } from "../../core/projection/conversation/paired_messages.ts";
import { Instructions, type ShapedRequests, SHAPES } from "./shapes.ts";
import { runStage, type Stage } from "./stage.ts";
import { wellFormed } from "../../core/event/well_formed.ts";

/** The result of `toMessages` for each shape: a provider's request, or messages of this library. */
export interface ShapedMessages extends ShapedRequests {
  /** The messages of this library, without conversion. */
  plain: Message[];
}

/** Name of a message shape: a provider's, or `plain` for this library's own messages. */
export type MessageShape = keyof ShapedMessages;

/** Name of a provider's form of messages: each {@linkcode MessageShape} but `plain`. */
export type RequestShape = keyof ShapedRequests;

export const MESSAGE_SHAPES = ["plain", ...Object.keys(SHAPES)] as readonly MessageShape[];

/**
 * Rejects an unknown shape.
 *
 * @throws {SessionError} `invalid-argument` with the names of all shapes.
 */
export function checkShape(
  shape: unknown,
  shapes: readonly MessageShape[] = MESSAGE_SHAPES,
): void {
  checkArgument("convert messages", "shape", oneOf(...shapes), shape);
}

const messageList = listOf(fields({
  role: oneOf("system", "user", "assistant", "tool"),
  content: textOr(listOf(fields({}))),
}));

/**
 * Rejects a value that is not a list of messages. Fields of parts are not checked.
 *
 * @throws {SessionError} `invalid-argument` with the place of the first fault.
 */
export function checkMessages(name: string, messages: unknown): void {
  checkArgument("convert messages", name, messageList, messages);
}

/**
 * Converts messages to a provider's shape. Returns a part of the provider's request, such as
 * `{ system?, messages }`, or messages of this library for `plain`.
 *
 * In the result, every call has exactly one result right after its message, and no text holds a lone
 * surrogate. All shapes but `plain` have more rules. Nothing blank is sent, and messages of one role
 * in a row are one message. Call ids are unique. Call ids and tool names have the characters and
 * lengths that all providers take. The input of a call is an object: any other value becomes
 * `{ input: value }`. An attachment without data, or that the provider does not take, becomes a line
 * of text. Images stay in results for Anthropic and the AI SDK. OpenAI takes no images in results,
 * so they follow in a message of the user.
 *
 * These rules do not hold for messages that `fromMessages` or `plainMessages` converted from the same
 * shape: `toMessages` returns the original messages. Only answers without content, and blank texts in
 * answers of Anthropic and Bedrock, are left out. The shapes `ai-sdk-ui` and `openai-agents` are
 * histories of SDKs, in which an original call may lack its result.
 *
 * OpenAI gets reasoning only with `provider_data` of `{ type: "reasoning_content" }`. Anthropic gets
 * reasoning only with its signature (`{ signature }`) or encrypted (`{ type: "redacted_thinking",
 * data }`). Reasoning without a text or call after it is left out. Content after signed thinking
 * must follow the same system prompt, tools and messages as originally.
 *
 * @param messages A conversation, in any state. It is not changed.
 * @param shape Name of the shape of the result.
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
  checkMessages("messages", messages);
  const paired = wellFormed(pairCalls(messages));
  if (shape === "plain") return paired as ShapedMessages[Shape];
  const { stage, list } = SHAPES[shape as RequestShape];
  const head = new Instructions(shape as RequestShape);
  for (const message of paired) head.add(message);
  const { member } = head;
  return {
    ...(member && { [member.name]: member.value }),
    [list]: runStage(stage(), paired),
  } as unknown as ShapedMessages[Shape];
}

/** One message, content or item in a request of the shape. */
export type RequestMessage<Shape extends RequestShape> = {
  [Name in keyof ShapedMessages[Shape]]-?: ShapedMessages[Shape][Name] extends (infer Item)[]
    ? Name extends "messages" | "contents" | "input" | "items" ? Item : never
    : never;
}[keyof ShapedMessages[Shape]];

/**
 * Converts messages in batches, as `toMessages` converts all messages at once. Keeps only the
 * unfinished message, the ids of calls, and the instructions.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { MessageShaper } from "@reprise/reprise/shapes";
 *
 * const shaper = new MessageShaper("openai");
 * const shaped = [
 *   ...shaper.add([{ role: "user", content: "Hi" }]),
 *   ...shaper.add([{ role: "assistant", content: "Hello" }]),
 *   ...shaper.end(),
 * ];
 * assert.deepEqual(shaped.map(({ role }) => role), ["user", "assistant"]);
 * ```
 */
export class MessageShaper<Shape extends RequestShape> {
  /** True if the request has the instructions in a member of their own, not among the messages. */
  readonly system_apart: boolean;
  /** Name of the member of the request that holds the messages. */
  readonly list: string;
  readonly #shape: Shape;
  #stage: Stage<Message, RequestMessage<Shape>>;
  #instructions: Instructions;

  /**
   * Makes a converter of one conversation.
   *
   * @param shape The form of the messages.
   */
  constructor(shape: Shape) {
    const { stage, list, apart } = SHAPES[shape];
    this.#shape = shape;
    this.list = list;
    this.system_apart = apart !== undefined;
    this.#stage = stage() as Stage<Message, RequestMessage<Shape>>;
    this.#instructions = new Instructions(shape);
  }

  /**
   * Takes the next messages.
   *
   * @param batch Messages in which each call has its result.
   * @returns The messages that later messages cannot change.
   */
  add(batch: readonly Message[]): RequestMessage<Shape>[] {
    const messages = wellFormed(pairCalls(batch));
    for (const message of messages) this.#instructions.add(message);
    return messages.flatMap((message) => this.#stage.add(message));
  }

  /** Returns an independent copy that continues after the messages added so far. */
  copy(): MessageShaper<Shape> {
    const copy = new MessageShaper(this.#shape);
    copy.#stage = this.#stage.copy();
    copy.#instructions = this.#instructions.copy();
    return copy;
  }

  /** Returns the remaining messages. */
  end(): RequestMessage<Shape>[] {
    return this.#stage.end();
  }

  /**
   * The request member with the instructions added so far. Undefined if there are none, or if the
   * shape puts instructions among the messages.
   */
  get system(): { name: string; value: unknown } | undefined {
    return this.#instructions.member;
  }
}
