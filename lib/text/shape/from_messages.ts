/**
 * Converts messages of a provider or another library to events.
 *
 * @module
 */
import { present } from "../../core/event/present.ts";
import type { NewEvent } from "../../core/event/envelope.ts";
import type { Message, ToolResultPart } from "../../core/event/message.ts";
import { isMadeUp } from "../../core/projection/conversation/paired_messages.ts";
import { jsonOf, unconvertible } from "./kept/incoming.ts";
import type { KeptData } from "./kept/kept.ts";
import { checkNames } from "../../core/store/checked_options.ts";
import { callsIn, type Piece, type ResponseFacts, type ResultPiece } from "./kept/piece.ts";
import { checkMessages, checkShape, MESSAGE_SHAPES, type RequestShape } from "./message_shape.ts";
import { splitResponses } from "./providers/anthropic_response.ts";
import { SHAPES } from "./shapes.ts";

/** Options of {@linkcode fromMessages}, with the model, usage and cost of the last response. */
export interface FromMessagesOptions extends ResponseFacts {
  /**
   * The earlier messages, as `session.conversation()` returns them. A result of an earlier call
   * gets its tool's name from these messages. They also keep results in order.
   */
  before?: readonly Message[];
}

const OPTIONS = {
  before: true,
  model: true,
  provider: true,
  request_id: true,
  finish_reason: true,
  usage: true,
  last_prompt_tokens: true,
  usage_of: true,
  cost_usd: true,
} as const;

/**
 * Converts messages of a shape to events. After a session appended the events, `toMessages` of the
 * same shape returns equal messages, in the same order and grouping. One exception: for a provider
 * that requires it, all results of one response become one message.
 *
 * One response of the model becomes one event, with its reasoning, texts and calls. Each result
 * becomes one event. Arguments of a call that are not valid JSON are kept as text. The same shape
 * gets them back unchanged. `turn.result` takes the provider's own id of a call. The same shape
 * gets this id back in the call and in its result.
 *
 * Data for which events have no field is kept in `provider_data`, with the name of the shape. So
 * are blocks of unknown types. Only the same shape gets this data back. Other shapes get the fields
 * of the events. Pass only messages that were not converted before. Their results may belong to
 * calls in earlier events. Of a whole response of Anthropic's API, `toMessages` returns only role
 * and content. The model and usage of the last response are recorded.
 *
 * @param shape The form of the messages.
 * @param messages The messages, or the object that `toMessages` returns. Other members of the
 * object are ignored.
 * @param options The earlier messages, and facts about the last response.
 * @returns Events to append, in order.
 * @throws {SessionError} `invalid-event` for data that events cannot represent. The message names
 * the data's place: `messages[3].content[1].type`.
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
  checkNames("convert messages", options, OPTIONS);
  const { before, ...facts } = options;
  if (before !== undefined) checkMessages("options.before", before);
  const known = before && knownPieces(before, shape);
  const given = shape === "anthropic" ? splitResponses(messages) : { messages, facts: {} };
  const pieces = piecesOf(shape, given.messages, known);
  return eventsOf(pieces, { ...given.facts, ...facts }, known);
}

/**
 * Converts messages of a shape to messages of this library, for an event that replaces the
 * conversation: `messages` of `session.compact` or of an event `conversation_replaced`. `toMessages`
 * of the same shape returns the original messages.
 *
 * @param shape The form of the messages.
 * @param messages All messages of the conversation, or the object that `toMessages` returns.
 * @returns Messages in which each result follows the response with its call.
 * @throws {SessionError} `invalid-event` as {@linkcode fromMessages}, and for a result without a call.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { memoryStore, plainMessages } from "@reprise/reprise";
 *
 * const session = memoryStore().create({ cwd: "/home/ada/src" });
 * const history = [{ role: "user", content: "Hello", name: "ada" }];
 * await session.compact({ messages: plainMessages("openai", history) });
 * assert.deepEqual((await session.request("openai")).messages, history);
 * await session.release();
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

/** Returns an event for each piece. Tool names of results for earlier calls come from `before`. */
function eventsOf(
  pieces: readonly Piece[],
  facts: ResponseFacts = {},
  before: readonly Piece[] = [],
): NewEvent[] {
  const alone = foldOrder(pieces);
  // Earlier pieces matter only to results of earlier calls.
  const order = alone.behind.length === 0 ? alone : foldOrder([...before, ...pieces]);
  const last = pieces.findLastIndex(({ role }) => role === "assistant");
  return pieces.map((piece, index): NewEvent => {
    const provider_data = keptData(piece, order);
    if (piece.role === "tool") {
      const { type: _, ...payload } = resultPart(piece, order);
      return { kind: "tool_end", payload };
    }
    const { role, content } = piece;
    if (role === "assistant") {
      const payload = { content, ...(index === last && facts), provider_data };
      return { kind: "assistant_message", payload };
    }
    const said = role === "system" ? role : undefined;
    return { kind: "user_message", payload: present({ content, role: said, provider_data }) };
  });
}

function messagesOf(pieces: readonly Piece[]): Message[] {
  const order = foldOrder(pieces);
  const [orphan] = order.behind;
  if (orphan !== undefined) {
    throw unconvertible(
      `the result of call ${JSON.stringify(orphan.call_id)} does not come after the call`,
    );
  }
  return order.folded.flatMap(({ piece, results }): Message[] => {
    const { role, content } = piece;
    const message = { role, content, provider_data: keptData(piece, order) };
    const settled = results.filter(isThere).map((result) => resultPart(result, order));
    return settled.length === 0 ? [message] : [message, { role: "tool", content: settled }];
  });
}

/** Converts a session's messages to pieces. Leaves out results that Reprise made up. */
function knownPieces(messages: readonly Message[], shape: string): Piece[] {
  const kept = { shape };
  return messages.flatMap(({ role, content }): Piece[] => {
    if (role !== "tool") return [{ role, content, kept }];
    return (typeof content === "string" ? [] : content).flatMap((part): Piece[] => {
      if (part.type !== "tool_result" || isMadeUp(part)) return [];
      const { call_id, name, status, output } = part;
      return [{ role, call_id, name, status, output, kept }];
    });
  });
}

function resultPart(
  piece: ResultPiece,
  order: FoldOrder,
): ToolResultPart & { provider_data: KeptData } {
  const { call_id, status, output } = piece;
  const name = order.names.get(piece) ?? (piece.name || "tool");
  const provider_data = keptData(piece, order);
  if (piece.name !== undefined && piece.name !== name) provider_data.name = piece.name;
  return { type: "tool_result", call_id, name, status, output, provider_data };
}

function keptData(piece: Piece, { later }: FoldOrder): KeptData {
  const count = later.get(piece) ?? 0;
  return count === 0 ? { ...piece.kept } : { ...piece.kept, later: count };
}

/** A message piece, such as a prompt or response, with the results of its calls in call order. */
interface FoldedPiece {
  piece: Exclude<Piece, ResultPiece>;
  results: (ResultPiece | undefined)[];
}

/** Message pieces in a session's order: each result follows the response with its call. */
interface FoldOrder {
  folded: FoldedPiece[];
  /** Results of calls in earlier events. */
  behind: ResultPiece[];
  names: Map<Piece, string>;
  /** For each piece, the number of pieces that precede it only in the original messages. */
  later: Map<Piece, number>;
}

function foldOrder(pieces: readonly Piece[]): FoldOrder {
  const names = new Map<Piece, string>();
  const open = new Map<string, { entry: FoldedPiece; index: number; name: string }[]>();
  const behind: ResultPiece[] = [];
  const folded: FoldedPiece[] = [];
  for (const piece of pieces) {
    if (piece.role === "tool") {
      const call = open.get(piece.call_id)?.pop();
      if (call === undefined) behind.push(piece);
      else {
        call.entry.results[call.index] = piece;
        names.set(piece, call.name);
      }
      continue;
    }
    const entry: FoldedPiece = { piece, results: [] };
    folded.push(entry);
    if (piece.role !== "assistant") continue;
    for (const [index, { call_id, name }] of callsIn(piece.content).entries()) {
      const calls = open.get(call_id) ?? [];
      if (calls.at(-1)?.entry === entry) {
        throw unconvertible(
          `one answer of the model has two tool calls with the id ${JSON.stringify(call_id)}`,
        );
      }
      calls.push({ entry, index, name });
      open.set(call_id, calls);
    }
  }
  const order = [
    ...behind,
    ...folded.flatMap(({ piece, results }) => [piece, ...results.filter(isThere)]),
  ];
  return { folded, behind, names, later: overtaken(order, pieces) };
}

function isThere(result: ResultPiece | undefined): result is ResultPiece {
  return result !== undefined;
}

/** Counts, for each piece, the pieces that are before it in `pieces` but after it in `order`. */
function overtaken(order: readonly Piece[], pieces: readonly Piece[]): Map<Piece, number> {
  const places = new Map(pieces.map((piece, index) => [piece, index]));
  const later = new Map<Piece, number>();
  /** Descending indexes in `pieces` of visited pieces. Most insertions are at the end, so cheap. */
  const behind: number[] = [];
  for (const piece of order.toReversed()) {
    const place = places.get(piece) ?? 0;
    let count = 0;
    while ((behind[behind.length - 1 - count] ?? Infinity) < place) count++;
    behind.splice(behind.length - count, 0, place);
    if (count > 0) later.set(piece, count);
  }
  return later;
}
