/** Remembers the items of the pieces that were read last. */
import { eventSize } from "../../projection/event_size.ts";
import type { TranscriptItem } from "../../projection/transcript/transcript_item.ts";
import type { WindowPiece } from "./window_piece.ts";

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
