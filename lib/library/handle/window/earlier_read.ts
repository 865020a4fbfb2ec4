/** Reads items from the resume points that an earlier read of the session stored. */
import { nextTurn } from "../../../core/log/next_turn.ts";
import type { TranscriptItem } from "../../../core/projection/transcript/item.ts";
import { type Cut, foldItems, type ItemCut } from "../../catalogue/fold_items.ts";
import type { ItemReading } from "./item_reading.ts";

/** Milliseconds of reading between pauses for other work. */
const SLICE_MS = 6;

/** The items after a resume point, and the number of the first item. */
interface Stretch {
  number: number;
  items: readonly TranscriptItem[];
}

export class EarlierRead {
  readonly #open: () => Promise<ItemReading>;
  readonly #signal: AbortSignal;
  #cuts: Promise<readonly ItemCut[]> | undefined;
  #near: Stretch | undefined;

  constructor(open: () => Promise<ItemReading>, signal: AbortSignal) {
    this.#open = open;
    this.#signal = signal;
  }

  /**
   * Reads items by their number. Returns fewer than `count` items if the session ends.
   *
   * @param read Number of items that were already read.
   * @returns The items; undefined if no resume point is between the items already read and `first`.
   */
  async items(
    first: number,
    count: number,
    read: number,
  ): Promise<readonly TranscriptItem[] | undefined> {
    const found = await this.#nearest(({ number }) => number <= first, read);
    if (found === undefined) return undefined;
    const { number, cut } = found;
    const [start, wanted] = [first - number, first + count - number];
    const known = this.#near?.number === number ? this.#near.items : [];
    if (known.length >= wanted) return known.slice(start, wanted);
    const items = await this.#read(cut, (items) => items.length < wanted);
    this.#near = { number, items };
    return items.slice(start, wanted);
  }

  /** Returns the number of the item with an event, or of the last item before that event. */
  async itemOf(seq: number, read: number): Promise<number | undefined> {
    const found = await this.#nearest(({ cut }) => seqOf(cut) < seq, read);
    if (found === undefined) return undefined;
    const { number, cut } = found;
    const items = await this.#read(cut, (items) => (items.at(-1)?.seq ?? 0) <= seq);
    this.#near = { number, items };
    // Only a whole read tells that nothing follows.
    if ((items.at(-1)?.seq ?? 0) <= seq) return undefined;
    const exact = items.findIndex((item) => item.seq === seq || item.end_seq === seq);
    return number + (exact >= 0 ? exact : items.findLastIndex((item) => item.seq <= seq));
  }

  /** Finds the last resume point that `fits`; undefined if the current read is already past it. */
  async #nearest(fits: (cut: ItemCut) => boolean, read: number): Promise<ItemCut | undefined> {
    const cuts = await (this.#cuts ??= (await this.#open()).cuts());
    const found = cuts.findLast(fits);
    return found !== undefined && found.number > read ? found : undefined;
  }

  async #read(
    cut: Cut,
    needsMore: (items: readonly TranscriptItem[]) => boolean,
  ): Promise<readonly TranscriptItem[]> {
    const found: TranscriptItem[] = [];
    const options = { cut, cut_characters: Infinity, signal: this.#signal };
    for await (const { items } of foldItems(await this.#open(), options)) {
      for (const item of items) found.push(item);
      if (!needsMore(found)) break;
      await nextTurn(SLICE_MS);
    }
    return found;
  }
}

/** Returns the number of the last event before a resume point. */
function seqOf({ place, behind }: Cut): number {
  return Math.max(place?.seq ?? 0, behind ?? 0);
}
