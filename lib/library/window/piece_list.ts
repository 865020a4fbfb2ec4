/**
 * Lists pieces from a session's beginning on: each is found by the number of an item or an event. The
 * items of the pieces that were read last are remembered.
 */
import { eventSize } from "../../projection/event_size.ts";
import type { TranscriptItem } from "../../projection/transcript/transcript_item.ts";
import type { WindowPiece } from "./window_piece.ts";

/** A piece, and its place in the session. */
export interface ListedPiece {
  piece: WindowPiece;
  /** The number of its first item. */
  first: number;
  /** The number of the event that its first item began with. */
  seq: number;
}

/** Pieces in order, and the number of their items. */
export class PieceList {
  readonly #pieces: ListedPiece[] = [];
  #count = 0;

  /** Number of the items of all pieces. */
  get count(): number {
    return this.#count;
  }

  /** Adds the next piece. One without items is left out, for no number leads to it. */
  add(piece: WindowPiece, items: readonly TranscriptItem[]): void {
    const [head] = items;
    if (head === undefined) return;
    this.#pieces.push({ piece, first: this.#count, seq: head.seq });
    this.#count += piece.count;
  }

  /** Returns the piece at an index; counts from the end where it is negative. */
  at(index: number): ListedPiece | undefined {
    return this.#pieces.at(index);
  }

  /** Returns the piece that holds an event. */
  ofEvent(seq: number): ListedPiece | undefined {
    return this.#pieces[this.#lastUpTo("seq", seq)];
  }

  /** Reads the items from number `first` to before `last`. */
  async items(first: number, last: number, cache: ItemCache): Promise<TranscriptItem[]> {
    const [from, to] = [this.#lastUpTo("first", first), this.#lastUpTo("first", last - 1)];
    const pieces = this.#pieces.slice(from, to + 1);
    const start = pieces[0]?.first ?? 0;
    return await itemsOf(pieces.map(({ piece }) => piece), { start, first, last }, cache);
  }

  /** Returns the index of the last piece that begins up to a number. */
  #lastUpTo(name: "first" | "seq", number: number): number {
    let [low, high] = [0, this.#pieces.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#pieces[middle]?.[name] ?? 0) <= number) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** Reads the items from `first` to before `last` of pieces, the first of which begins at `start`. */
export async function itemsOf(
  pieces: readonly WindowPiece[],
  { start, first, last }: { start: number; first: number; last: number },
  cache: ItemCache,
): Promise<TranscriptItem[]> {
  const found: TranscriptItem[] = [];
  let at = start;
  for (const piece of pieces) {
    if (Math.max(at, first) >= last) break;
    if (at + piece.count > first) {
      found.push(...(await cache.read(piece)).slice(Math.max(0, first - at), last - at));
    }
    at += piece.count;
  }
  return found;
}

/** Characters of all items that are remembered. */
const MOST_SIZE = 8 * 1024 * 1024;

interface Remembered {
  items: readonly TranscriptItem[];
  size: number;
}

/** The items of some pieces; the one that was used longest ago gives way. */
export class ItemCache {
  readonly #kept = new Map<WindowPiece, Remembered>();
  #size = 0;

  /** Returns the items of a piece; reads them where they are not remembered. */
  async read(piece: WindowPiece): Promise<readonly TranscriptItem[]> {
    const known = this.#kept.get(piece);
    if (known !== undefined) {
      this.#kept.delete(piece);
      this.#kept.set(piece, known);
      return known.items;
    }
    const items = await piece.read();
    if (!this.#kept.has(piece)) this.#add(piece, items);
    return items;
  }

  #add(piece: WindowPiece, items: readonly TranscriptItem[]): void {
    const size = eventSize({ payload: items });
    this.#kept.set(piece, { items, size });
    this.#size += size;
    for (const [oldest, { size }] of this.#kept) {
      if (this.#size <= MOST_SIZE || oldest === piece) return;
      this.#kept.delete(oldest);
      this.#size -= size;
    }
  }
}
