/** The order in which the fold of events puts the pieces of a request. */
import { refusal } from "./incoming.ts";
import { callsIn, type Piece, type ResultPiece } from "./piece.ts";

/** A piece; of a response with the results of its calls, in their order. */
export interface FoldedPiece {
  piece: Exclude<Piece, ResultPiece>;
  results: (ResultPiece | undefined)[];
}

/** Pieces as they are folded: a result right behind its call's response. */
export interface FoldOrder {
  /** In their order. */
  folded: FoldedPiece[];
  /** Results of calls that earlier events made. */
  behind: ResultPiece[];
  /** Names of the tools that gave results. */
  names: Map<Piece, string>;
  /** For each piece, the number of later pieces that came before it in the message. */
  later: Map<Piece, number>;
}

/** Returns where the fold puts pieces. */
export function foldOrder(pieces: readonly Piece[]): FoldOrder {
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
        throw refusal(`call ${JSON.stringify(call_id)}`, "is made twice in one response");
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

/** True for a result that came. */
export function isThere(result: ResultPiece | undefined): result is ResultPiece {
  return result !== undefined;
}

/** Says of each piece how many that are behind it in `order` come before it in `pieces`. */
function overtaken(order: readonly Piece[], pieces: readonly Piece[]): Map<Piece, number> {
  const places = new Map(pieces.map((piece, index) => [piece, index]));
  const later = new Map<Piece, number>();
  /** Places of what is behind, the first place last: nearly all pieces come before those. */
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
