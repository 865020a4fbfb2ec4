/**
 * Converts a growing conversation to a provider's shape. Messages that can no longer change are
 * converted once.
 */
import { copyJson } from "../../core/event/copy_json.ts";
import type { Message } from "../../core/event/message.ts";
import {
  type MessageShape,
  MessageShaper,
  type RequestMessage,
  type RequestShape,
  type ShapedMessages,
  toMessages,
} from "./message_shape.ts";
import { wellFormed } from "../../core/event/well_formed.ts";

interface Converted<Shape extends RequestShape> {
  shaper: MessageShaper<Shape>;
  taken: Message[];
  /** The converted messages, which later messages cannot change. */
  given: RequestMessage<Shape>[];
}

export class RunningRequest {
  readonly #converted = new Map<RequestShape, Converted<RequestShape>>();

  /**
   * Converts messages as `toMessages` does. The result shares no object with later results.
   *
   * @param messages A paired conversation: each call has its result.
   * @param settled_count Number of messages at the start that the next call will pass as the same
   * objects. 0 if unknown.
   */
  request<Shape extends MessageShape>(
    shape: Shape,
    messages: readonly Message[],
    settled_count: number,
  ): ShapedMessages[Shape] {
    if (shape === "plain") return messages.map(wellFormed) as unknown as ShapedMessages[Shape];
    if (settled_count === 0) return toMessages(messages, shape);
    const converted = this.#convertedOf(shape, messages);
    const { shaper, taken, given } = converted;
    const fresh = messages.slice(taken.length, Math.max(taken.length, settled_count));
    if (fresh.length > 0) {
      for (const message of shaper.add(fresh)) given.push(message);
      for (const message of fresh) taken.push(message);
    }
    const rest = shaper.copy();
    const last = rest.add(messages.slice(taken.length));
    const all = [...given, ...last, ...rest.end()];
    const { system, list } = rest;
    const request: unknown = { ...(system && { [system.name]: system.value }), [list]: all };
    // An agent may add a cache mark to a message.
    return copyJson(request) as ShapedMessages[Shape];
  }

  #convertedOf(shape: RequestShape, messages: readonly Message[]): Converted<RequestShape> {
    const known = this.#converted.get(shape);
    if (known?.taken.every((message, index) => message === messages[index])) return known;
    const begun = { shaper: new MessageShaper(shape), taken: [], given: [] };
    this.#converted.set(shape, begun);
    return begun;
  }
}
