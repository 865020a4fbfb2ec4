/**
 * The conversation in the form of a provider, while it is read.
 *
 * @module
 */
import type { Message } from "../event/message.ts";
import type { MessageShape, ShapedMessages } from "./message_shape.ts";
import { pairCalls } from "./conversation/paired_messages.ts";
import { aiSdkMessages } from "./shape/ai_sdk.ts";
import { anthropicMessages } from "./shape/anthropic.ts";
import { joined } from "./shape/blank_text.ts";
import { openAiMessages } from "./shape/openai.ts";
import type { Stage } from "./shape/stage.ts";
import { instructions } from "./shape/turn.ts";
import { wellFormed } from "./shape/well_formed.ts";

/** Name of a shape that is a part of a provider's request. */
export type RequestShape = Exclude<MessageShape, "plain">;

/** One message of such a part. */
export type RequestMessage<Shape extends RequestShape> = ShapedMessages[Shape]["messages"][number];

const STAGES: { [Shape in RequestShape]: () => Stage<Message, RequestMessage<Shape>> } = {
  openai: openAiMessages,
  anthropic: anthropicMessages,
  "ai-sdk": aiSdkMessages,
};

/**
 * Converts messages in batches as `toMessages` converts all at once. It holds no more than the
 * message in the making, the ids of calls, and the instructions.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { MessageShaper } from "@reprise/reprise";
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
  readonly #shape: Shape;
  #stage: Stage<Message, RequestMessage<Shape>>;
  #instructions: string[] = [];

  /**
   * Makes a converter of one conversation.
   *
   * @param shape Whose form.
   */
  constructor(shape: Shape) {
    this.#shape = shape;
    this.system_apart = shape !== "openai";
    this.#stage = STAGES[shape]();
  }

  /**
   * Takes the next messages.
   *
   * @param batch Messages in which each call has its result.
   * @returns The messages that nothing changes any more.
   */
  add(batch: readonly Message[]): RequestMessage<Shape>[] {
    const messages = wellFormed(pairCalls(batch));
    if (this.system_apart) this.#instructions.push(...messages.flatMap(instructions));
    return messages.flatMap((message) => this.#stage.add(message));
  }

  /** Makes a converter that goes on from here by itself: neither changes the other. */
  copy(): MessageShaper<Shape> {
    const copy = new MessageShaper(this.#shape);
    copy.#stage = this.#stage.copy();
    copy.#instructions = [...this.#instructions];
    return copy;
  }

  /** Returns the messages that are left. */
  end(): RequestMessage<Shape>[] {
    return this.#stage.end();
  }

  /** The instructions so far, where they stand apart; undefined where there are none. */
  get system(): string | undefined {
    return joined(this.#instructions);
  }
}
