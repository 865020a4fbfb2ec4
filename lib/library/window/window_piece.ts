/** Runs of a transcript's items that can be read by themselves, and lists of them. */
import { eventSize } from "../../projection/event_size.ts";
import type { TranscriptItem } from "../../projection/transcript/transcript_item.ts";
import type { ReadPlace } from "../../source/session_reading.ts";

/** Items that follow one another. */
export interface WindowPiece {
  /** The number of items. */
  readonly count: number;
  /** Reads them: always the same ones. */
  read(): Promise<readonly TranscriptItem[]>;
}

/** A piece as it is met on the way through the session, with its items. */
export interface FreshPiece {
  /** The piece. */
  piece: WindowPiece;
  /** The items of the piece. */
  items: readonly TranscriptItem[];
  /** Bytes of the session's file up to its end; 0 where that cannot be told. */
  bytes: number;
}

/** The last items of a session. */
export interface WindowTail {
  /** Pieces up to the session's end, in the session's order. */
  pieces: readonly WindowPiece[];
  /** True if nothing is before them. */
  whole: boolean;
}

/** A run of a session's events that make a piece. */
export interface Stretch {
  /** The number of its first event. */
  first_seq: number;
  /** The number of its events. */
  events: number;
  /** The last place before it at which a read can begin. */
  place: ReadPlace | undefined;
  /** True if the session ends with it. */
  last: boolean;
}

/** Reads the items of a piece. */
export type ReadItems = () => Promise<readonly TranscriptItem[]>;

/** Keeps pieces as they come, in one way or another. */
export interface PieceKeeper {
  /** Takes the next piece; returns how to read its items. */
  keep(stretch: Stretch, items: readonly TranscriptItem[]): ReadItems;
}

/** A way to read a session in pieces, from its beginning and from its end. */
export interface PieceSource {
  /** Bytes of the session's file; 0 where that cannot be told. */
  readonly bytes: number;
  /**
   * Yields the pieces from the beginning up to those that {@linkcode PieceSource.rest} gives. Waits
   * for `pause` after each batch that it reads.
   */
  forward(signal: AbortSignal, pause: () => Promise<void>): AsyncGenerator<FreshPiece>;
  /** Returns the pieces behind the last one that came: those that were read from the end. */
  rest(): readonly WindowPiece[];
  /** Reads the tail: at each call a longer one. Undefined where it can get no longer by itself. */
  longerTail(): Promise<WindowTail | undefined>;
}

/** A piece, and its place in the session. */
interface ListedPiece {
  piece: WindowPiece;
  /** The number of its first item. */
  first: number;
  /** The number of the event that its first item began with. */
  seq: number;
}

/**
 * Pieces from a session's beginning on: each is found by the number of an item or an event.
 */
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
      for (const one of (await cache.read(piece)).slice(Math.max(0, first - at), last - at)) {
        found.push(one);
      }
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
