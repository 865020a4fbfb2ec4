/** The last items of a session, read by themselves. */
import { foldEvents } from "../../projection/projection.ts";
import { transcript } from "../../projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../projection/transcript/transcript_item.ts";
import { foldItems, WINDOW_KINDS } from "./fold_items.ts";
import type { ItemReading, WindowSession } from "./item_reading.ts";

/** Messages of the first end; each longer one has several times as many. */
const MESSAGES = 16;
/** Longer ends are not asked for: an agent may read all of a session for one. */
const MOST_MESSAGES = 256;
/** Bytes of the ends of a log, which is read from any place. */
const BYTES = 128 * 1024;
const MOST_BYTES = 8 * 1024 * 1024;
const GROWTH = 4;

/** The end of a session, which gets longer as a reader goes back. */
export class SessionEnd {
  readonly #session: WindowSession;
  readonly #open: () => Promise<ItemReading>;
  #items: readonly TranscriptItem[] = [];
  #longer = 1;
  /** True if it gets no longer. */
  #is_last = false;
  /** True if it is the whole session. */
  #is_whole = false;

  /** @param open Opens the reading of a log. */
  constructor(session: WindowSession, open: () => Promise<ItemReading>) {
    this.#session = session;
    this.#open = open;
  }

  /** Returns items by negative numbers, as far as they were reached. */
  items(first: number, count: number): readonly TranscriptItem[] {
    const start = this.#items.length + first;
    return this.#items.slice(Math.max(0, start), Math.max(0, start + count));
  }

  /** Reads so much that it holds an item; false where it gets not so long. */
  async reach(item: number): Promise<boolean> {
    while (!this.#is_last && this.#items.length < -item) {
      const items = await this.#read(this.#longer);
      this.#longer *= GROWTH;
      if (items.length <= this.#items.length) this.#is_last = true;
      else this.#items = items;
    }
    return this.#is_whole || this.#items.length >= -item;
  }

  async #read(times: number): Promise<readonly TranscriptItem[]> {
    const reading = this.#session.log === undefined ? undefined : await this.#open();
    if (reading?.endPlace !== undefined) {
      const place = BYTES * times > MOST_BYTES ? undefined : await reading.endPlace(BYTES * times);
      if (place === undefined) return [];
      this.#is_whole = place.offset === 0;
      const folded = foldItems(reading, { cut: { place }, cut_characters: Infinity });
      return (await Array.fromAsync(folded)).flatMap(({ items }) => items);
    }
    if (!this.#session.has_tail || MESSAGES * times > MOST_MESSAGES) return [];
    const events = await this.#session.tail(MESSAGES * times, { needs: WINDOW_KINDS });
    // Only a read from the beginning tells the numbers of the events.
    return foldEvents(transcript(), events).map((item) => ({ ...item, seq: 0 }));
  }
}
