/**
 * Messages that are a list of items: what OpenAI's Responses and its Agents SDK have in common. What
 * the model gave without a word in between is one response, of one item for each part.
 */
import type { Part } from "../../event/message.ts";
import { checkCalls } from "./block_messages.ts";
import { listAt, type Members, objectAt } from "./incoming.ts";
import { amended, amendment } from "./kept.ts";
import { blockOf, keptPart, type PartRules, wholePart } from "./kept_part.ts";
import { callsIn, listed, type Piece } from "./piece.ts";
import type { PieceWriter, Side } from "./restored.ts";

/** An item of a shape. */
type Item = Record<string, unknown>;

/** The rules of one shape. */
export interface ItemRules {
  /** Name of the shape. */
  shape: string;
  /** Items of the model. */
  own: PartRules;
  /** Name of the type of results. */
  result: string;
  /** Reads an item that is not the model's; undefined for one that is. */
  other(item: Members, at: string): Piece | undefined;
  /** Returns the item that such a piece usually is. */
  usual(piece: Piece): Members;
  /** It keeps a history, and is no request: calls may repeat an id, or have no result yet. */
  history: boolean;
}

/** Reads items. `before` is all that came before them, where that is known. */
export function itemPieces(
  rules: ItemRules,
  items: unknown,
  at: string,
  before?: readonly Piece[],
): Piece[] {
  const { shape, history } = rules;
  const pieces: Piece[] = [];
  const open = history && before !== undefined ? openCalls(before) : undefined;
  let parts: Part[] = [];
  const close = (): void => {
    const kept = { shape };
    if (parts.length > 0) pieces.push({ role: "assistant", content: listed(parts, shape), kept });
    parts = [];
  };
  const add = (part: Part, place: string): void => {
    if (history && isRepeated(parts, part)) close();
    parts.push(part);
    checkCalls(parts, place);
    if (part.type === "tool_call") count(open, part.call_id, 1);
  };
  for (const [index, value] of listAt(items, at).entries()) {
    const place = `${at}[${index}]`;
    const item = objectAt(value, place);
    const piece = rules.other(item, place);
    if (piece === undefined) add(keptPart(rules.own, item, place) as Part, place);
    else if (piece.role === "tool" && open !== undefined && !open.has(piece.call_id)) {
      // No model takes a result of no call: only the shape gets it back.
      add(wholePart(rules.own, item), place);
    } else {
      close();
      if (piece.role === "tool") count(open, piece.call_id, -1);
      Object.assign(piece.kept, amendment(rules.usual(piece), item));
      pieces.push(piece);
    }
  }
  close();
  return pieces;
}

/** A response makes each of its calls once. */
function isRepeated(parts: readonly Part[], part: Part): boolean {
  return part.type === "tool_call" &&
    callsIn([...parts]).some(({ call_id }) => call_id === part.call_id);
}

/** Numbers of calls without a result, by their ids. */
function openCalls(pieces: readonly Piece[]): Map<string, number> {
  const open = new Map<string, number>();
  for (const piece of pieces) {
    if (piece.role === "tool") count(open, piece.call_id, -1);
    else for (const { call_id } of callsIn(piece.content)) count(open, call_id, 1);
  }
  return open;
}

function count(open: Map<string, number> | undefined, call_id: string, change: number): void {
  const number = (open?.get(call_id) ?? 0) + change;
  if (number > 0) open?.set(call_id, number);
  else open?.delete(call_id);
}

/** Returns the writer of such items: of a response one for each of its parts. */
export function itemWriter(rules: ItemRules): PieceWriter<Item> {
  const { shape, history, own, result } = rules;
  return {
    shape,
    history,
    begin(piece): Item[] {
      if (piece.role !== "assistant") return [amended(rules.usual(piece), piece.kept)];
      const { content } = piece;
      const parts: Part[] = typeof content === "string"
        ? [{ type: "text", text: content }]
        : content;
      return parts.map((part) => blockOf(own, part));
    },
    join: () => false,
    copy: (item) => item,
    sideOf: ({ role, type }): Side =>
      role === "system" ? role : role === "user" || type === result ? "user" : "assistant",
  };
}
