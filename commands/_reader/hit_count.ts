/** Counts the blocks of a session that hold a text, in the background, while the session is read. */
import type { SessionWindow } from "../../lib/library/window/session_window.ts";
import { counted } from "../_counted.ts";
import type { Matching } from "./find_hit.ts";

/** The blocks that hold one text. */
export class HitCount {
  /** The text. */
  readonly query: string;
  readonly #window: SessionWindow;
  /** The numbers of the blocks, in order. */
  readonly #hits: number[] = [];
  /** Items that were looked at. */
  #searched = 0;
  #done = false;

  constructor(window: SessionWindow, query: string) {
    this.#window = window;
    this.query = query;
  }

  /** Looks through the session once. `onMore` is called now and then, and at the end. */
  async run(
    { itemText }: Pick<Matching, "itemText">,
    signal: AbortSignal,
    onMore: () => void,
  ): Promise<void> {
    const wanted = this.query.toLowerCase();
    for await (const { first, items } of this.#window.pieces()) {
      if (signal.aborted) return;
      for (const [at, item] of items.entries()) {
        if (itemText(item).toLowerCase().includes(wanted)) this.#hits.push(first + at);
      }
      this.#searched = first + items.length;
      onMore();
    }
    this.#done = true;
    onMore();
  }

  /**
   * Returns the next block that holds the text, behind an item or before it: "none" if there is none,
   * undefined while that is not known.
   */
  next(item: number, step: 1 | -1): number | "none" | undefined {
    if (item < 0) return undefined;
    const hits = this.#hits;
    if (step < 0) {
      if (!this.#done && item > this.#searched) return undefined;
      return hits.findLast((hit) => hit < item) ?? "none";
    }
    return hits.find((hit) => hit > item) ?? (this.#done ? "none" : undefined);
  }

  /** Says how many there are, and which of them an item is. */
  text(item: number | undefined): string {
    const count = this.#hits.length;
    const at = item === undefined ? 0 : this.#hits.indexOf(item) + 1;
    const place = at === 0 ? "" : `${at} of `;
    if (this.#done) return `${place}${counted(count, "block")}`;
    const { total } = this.#window.progress;
    const part = total === undefined ? "" : `, ${Math.floor(100 * this.#searched / total)} %`;
    return `${place}${counted(count, "block")} so far${part}`;
  }
}
