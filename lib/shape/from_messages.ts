/**
 * Converts messages that a provider or another library has, to events.
 *
 * @module
 */
import type { NewEvent } from "../event/envelope.ts";
import type { Message } from "../event/message.ts";
import { checkShape, MESSAGE_SHAPES, type RequestShape } from "./message_shape.ts";
import { jsonOf } from "./kept/incoming.ts";
import type { Piece, ResponseFacts } from "./kept/piece.ts";
import { eventsOf, knownPieces, messagesOf } from "./kept/piece_events.ts";
import { SHAPES } from "./shapes.ts";

/** Options of {@linkcode fromMessages}: also the model, usage and cost of the last response. */
export interface FromMessagesOptions extends ResponseFacts {
  /**
   * The messages so far, as `session.conversation()` gives them. With them, a result of an earlier
   * call finds its tool's name. Results go out in the order in which they came.
   */
  before?: readonly Message[];
}

/**
 * Converts messages of a shape to events. Appended and folded, they give `toMessages` of that shape
 * equal to what came in, order and grouping included. But results of one response are one message
 * where the provider asks for that, however they came.
 *
 * What has no field of ours is kept in `provider_data`, which names the shape and goes back to it
 * alone; so are blocks of unknown types. Other shapes get what our fields hold. The result of a call
 * that an earlier event makes settles that call, so a step's new messages are enough.
 *
 * @param shape The form of the messages.
 * @param messages The messages, or the object that `toMessages` gives; other members of it are not
 * looked at.
 * @param options What is known beside the messages.
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
  options: FromMessagesOptions = {},
): NewEvent[] {
  const { before, ...facts } = options;
  const known = before && knownPieces(before, shape);
  return eventsOf(piecesOf(shape, messages, known), facts, known);
}

/**
 * Converts messages of a shape to our own, for an event that replaces the conversation: `messages` of
 * `session.compact` and of `conversation_replaced`. `toMessages` of that shape gives them back.
 *
 * @param shape The form of the messages.
 * @param messages All messages of the conversation, or the object that `toMessages` gives.
 * @returns Messages in which each result stands behind its call's response.
 * @throws {SessionError} `invalid-event` as {@linkcode fromMessages}, and for a result of no call.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { memoryStore, plainMessages } from "@reprise/reprise";
 *
 * await using session = memoryStore().create({ cwd: "/home/ada/src" });
 * const history = [{ role: "user", content: "Hello", name: "ada" }];
 * await session.compact({ messages: plainMessages("openai", history) });
 * assert.deepEqual((await session.request("openai")).messages, history);
 * ```
 */
export function plainMessages(shape: RequestShape, messages: unknown): Message[] {
  return messagesOf(piecesOf(shape, messages, []));
}

function piecesOf(
  shape: RequestShape,
  messages: unknown,
  before: readonly Piece[] | undefined,
): Piece[] {
  checkShape(shape, MESSAGE_SHAPES.filter((name) => name !== "plain"));
  const { list, read } = SHAPES[shape];
  const request = Array.isArray(messages) ? { [list]: messages } : messages;
  return read(jsonOf(request, ""), before);
}
