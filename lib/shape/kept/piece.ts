/**
 * Takes a request of any shape apart: what one event says is a piece of it.
 */
import type { NewEvent } from "../../event/envelope.ts";
import type {
  CallStatus,
  Content,
  Output,
  OutputPart,
  Part,
  ToolCallPart,
} from "../../event/message.ts";
import type { AssistantMessagePayload } from "../../event/payload.ts";
import { refusal } from "./incoming.ts";
import type { KeptData } from "./kept.ts";

/** What the user says, or instructions. */
export interface SaidPiece {
  role: "system" | "user";
  content: Content;
  kept: KeptData;
}

/** A response of the model, or the part of one up to the results of its calls. */
export interface AnswerPiece {
  role: "assistant";
  content: Content;
  kept: KeptData;
}

/** The result of one call. */
export interface ResultPiece {
  role: "tool";
  call_id: string;
  /** The tool's name, where the shape says it. */
  name?: string;
  status: CallStatus;
  output: Output;
  kept: KeptData;
}

/** A piece of a request. */
export type Piece = SaidPiece | AnswerPiece | ResultPiece;

/** The facts about the last response that a request does not hold. */
export type ResponseFacts = Omit<
  AssistantMessagePayload,
  "content" | "message_id" | "provider_data"
>;

/** Returns the calls of a content. */
export function callsIn(content: Content): ToolCallPart[] {
  return typeof content === "string" ? [] : content.filter((part) => part.type === "tool_call");
}

/** Marks a text that stands alone in a list: a fold would make a string of it. */
export function listed<Item extends Part | OutputPart>(parts: Item[], shape: string): Item[] {
  const [only] = parts;
  if (parts.length !== 1 || only?.type !== "text" || only.provider_data !== undefined) return parts;
  return [{ ...only, provider_data: { shape } satisfies KeptData }];
}

/** Returns the events that say what pieces say. */
export function eventsOf(pieces: readonly Piece[], facts: ResponseFacts = {}): NewEvent[] {
  const { names, later } = placesOf(pieces);
  const last = pieces.findLastIndex(({ role }) => role === "assistant");
  return pieces.map((piece, index): NewEvent => {
    const count = later.get(piece) ?? 0;
    const provider_data: KeptData = count === 0 ? piece.kept : { ...piece.kept, later: count };
    if (piece.role === "assistant") {
      const { content } = piece;
      const payload = { content, ...(index === last ? facts : {}), provider_data };
      return { kind: "assistant_message", payload };
    }
    if (piece.role === "tool") {
      const { call_id, status, output } = piece;
      const name = names.get(piece) ?? piece.name ?? "tool";
      return { kind: "tool_end", payload: { call_id, name, status, output, provider_data } };
    }
    const { role, content } = piece;
    const whose = role === "system" ? { role } : {};
    return { kind: "user_message", payload: { content, ...whose, provider_data } };
  });
}

/** An answer, with the results of its calls. */
interface Answered {
  piece: Piece;
  results: (ResultPiece | undefined)[];
}

/** Where the fold of the events puts the pieces: a result right behind its call's response. */
function placesOf(
  pieces: readonly Piece[],
): { names: Map<Piece, string>; later: Map<Piece, number> } {
  const names = new Map<Piece, string>();
  const open = new Map<string, { entry: Answered; index: number; name: string }[]>();
  /** Results of calls that earlier events made. */
  const behind: Piece[] = [];
  const folded: Answered[] = [];
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
    const entry: Answered = { piece, results: [] };
    folded.push(entry);
    if (piece.role !== "assistant") continue;
    for (const [index, { call_id, name }] of callsIn(piece.content).entries()) {
      const calls = open.get(call_id) ?? [];
      if (calls.at(-1)?.entry === entry) {
        throw refusal(`call ${JSON.stringify(call_id)}`, "is made twice in one response");
      }
      calls.push({ entry, index, name });
      open.set(call_id, calls);
    }
  }
  const order = [
    ...behind,
    ...folded.flatMap(({ piece, results }) => [
      piece,
      ...results.filter((result) => result !== undefined),
    ]),
  ];
  return { names, later: overtaken(order, pieces) };
}

/** Says of each piece how many that are behind it in `order` come before it in `pieces`. */
function overtaken(order: readonly Piece[], pieces: readonly Piece[]): Map<Piece, number> {
  const places = new Map(pieces.map((piece, index) => [piece, index]));
  const later = new Map<Piece, number>();
  /** Places of what is behind, sorted. */
  const behind: number[] = [];
  for (const piece of order.toReversed()) {
    const place = places.get(piece) ?? 0;
    let count = 0;
    while ((behind[count] ?? Infinity) < place) count++;
    behind.splice(count, 0, place);
    if (count > 0) later.set(piece, count);
  }
  return later;
}
