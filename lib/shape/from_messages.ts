/**
 * Converts messages that a provider or another library has, to events.
 *
 * @module
 */
import type { NewEvent } from "../event/envelope.ts";
import type { RequestShape } from "./message_shape.ts";
import { jsonOf } from "./kept/incoming.ts";
import { eventsOf, type ResponseFacts } from "./kept/piece.ts";
import { SHAPES } from "./shapes.ts";

/**
 * Converts messages of a shape to events. Appended and folded, they give `toMessages` of that shape
 * equal to what came in, order and grouping included.
 *
 * What has no field of ours is kept in `provider_data`, which names the shape and goes back to it
 * alone; so are blocks of unknown types. Other shapes get what our fields hold. The result of a call
 * that an earlier event makes settles that call, so a step's new messages are enough.
 *
 * @param shape The form of the messages.
 * @param messages The messages, or the object that `toMessages` gives; other members of it are not
 * looked at.
 * @param facts The model, usage and cost of the last response.
 * @returns Events to append, in order.
 * @throws {SessionError} `invalid-event` for what cannot be represented; the message names the place:
 * `messages[3].content[1].type`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { fromMessages } from "@reprise/reprise";
 *
 * const events = fromMessages("anthropic", [
 *   { role: "user", content: "Read a.txt" },
 *   { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "read", input: {} }] },
 *   { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "one" }] },
 * ]);
 * assert.deepEqual(events.map(({ kind }) => kind), ["user_message", "assistant_message", "tool_end"]);
 * ```
 */
export function fromMessages(
  shape: RequestShape,
  messages: unknown,
  facts: ResponseFacts = {},
): NewEvent[] {
  const { list, read } = SHAPES[shape];
  const request = Array.isArray(messages) ? { [list]: messages } : messages;
  return eventsOf(read(jsonOf(request, "")), facts);
}
