/**
 * The conversation in the form of a provider, while it is read.
 *
 * @module
 */
import type { Message } from "../event/message.ts";
import type { RequestShape, ShapedMessages } from "./message_shape.ts";
import { pairCalls } from "../projection/conversation/paired_messages.ts";
import { Instructions, SHAPES } from "./shapes.ts";
import type { Stage } from "./stage.ts";
import { wellFormed } from "./well_formed.ts";

/** One message of a provider's request. */
export type RequestMessage<Shape extends RequestShape> = {
  [Name in keyof ShapedMessages[Shape]]: ShapedMessages[Shape][Name] extends (infer Item)[]
    ? Name extends "messages" | "contents" | "input" | "items" ? Item : never
    : never;
}[keyof ShapedMessages[Shape]];

/**
 * Converts messages in batches as `toMessages` converts all at once. It holds no more than the
 * message in the making, the ids of calls, and the instructions.
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
  /** True where the instructions stand apart from the messages. */
  readonly system_apart: boolean;
  /** Name of the member of the request that holds the messages. */
  readonly list: string;
  readonly #shape: Shape;
  #stage: Stage<Message, RequestMessage<Shape>>;
  #instructions: Instructions;

  /**
   * Makes a converter of one conversation.
   *
   * @param shape Whose form.
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
   * @returns The messages that nothing changes any more.
   */
  add(batch: readonly Message[]): RequestMessage<Shape>[] {
    const messages = wellFormed(pairCalls(batch));
    for (const message of messages) this.#instructions.add(message);
    return messages.flatMap((message) => this.#stage.add(message));
  }

  /** Makes a converter that goes on from here by itself: neither changes the other. */
  copy(): MessageShaper<Shape> {
    const copy = new MessageShaper(this.#shape);
    copy.#stage = this.#stage.copy();
    copy.#instructions = this.#instructions.copy();
    return copy;
  }

  /** Returns the messages that are left. */
  end(): RequestMessage<Shape>[] {
    return this.#stage.end();
  }

  /** The member that holds the instructions so far, where they stand apart. */
  get system(): { name: string; value: unknown } | undefined {
    return this.#instructions.member;
  }
}
