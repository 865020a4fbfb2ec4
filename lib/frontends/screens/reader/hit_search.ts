/** Searches a session for a text and counts matching blocks. A new search ends the last one. */
import type { SessionWindow } from "../../../library/handle/window/session_window.ts";
import { counted } from "../../../core/event/counted.ts";
import type { Matching } from "../item_drawing.ts";
import { findHit } from "./find_hit.ts";
import type { RowPlace } from "./window_rows.ts";
import type { ReaderView } from "./reader_view.ts";

interface SearchListener {
  /** Receives the progress or the result. The message is empty after a hit. */
  say(message: string): void;
  onCounted(): void;
  onError(error: unknown): void;
}

interface Step {
  from: RowPlace;
  step: 1 | -1;
  query: string;
  signal: AbortSignal;
}

export class HitSearch {
  readonly #view: ReaderView;
  readonly #matching: Matching;
  readonly #listener: SearchListener;
  #stop: AbortController | undefined;
  #count: HitCount | undefined;
  #counting = new AbortController();
  /** A note that the search wrapped around the session's end or beginning. Empty if it did not. */
  #around: string[] = [];

  constructor(view: ReaderView, matching: Matching, listener: SearchListener) {
    this.#view = view;
    this.#matching = matching;
    this.#listener = listener;
  }

  /** The query, the number of matching blocks and a note if the search wrapped around. */
  get text(): string {
    const { hit } = this.#view;
    if (this.#count === undefined) return "";
    const { query } = this.#count;
    return [`“${query}”`, this.#count.text(hit?.item), ...this.#around].join(" · ");
  }

  stop(): void {
    this.#stop?.abort();
    this.#counting.abort();
    this.#count = undefined;
  }

  startIn(item: number, query: string): void {
    const before = item === 0 ? { item, row: -1 } : { item: item - 1, row: Infinity };
    this.start(query, 1, before);
  }

  /** Searches from `begin`. The default is the current hit if it is shown, else the top row. */
  start(query: string, step: 1 | -1, begin?: RowPlace): void {
    this.#stop?.abort();
    if (query === "") return this.#listener.say("No search yet. Press / to search.");
    this.#stop = new AbortController();
    this.#around = [];
    const { signal } = this.#stop;
    if (this.#count?.query !== query) this.#startCount(query);
    const { hit, place: { item, row } } = this.#view;
    const top = { item, row: step > 0 ? row - 1 : row };
    const from = begin ?? (hit !== undefined && this.#view.isShown(hit) ? hit : top);
    this.#run({ from, step, query, signal }).catch((error) => this.#fail(error, signal));
  }

  #startCount(query: string): void {
    this.#counting.abort();
    this.#counting = new AbortController();
    const { signal } = this.#counting;
    const count = new HitCount(this.#view.window, query);
    this.#count = count;
    count.run(this.#matching, signal, () => this.#listener.onCounted())
      .catch((error) => this.#fail(error, signal));
  }

  #fail(error: unknown, signal: AbortSignal): void {
    // What was looked through may be closed already.
    if (signal.aborted) return;
    this.stop();
    this.#listener.onError(error);
  }

  async #run(what: Step): Promise<void> {
    const view = this.#view;
    const { rows, window } = view;
    const { step, query, signal } = what;
    let found = await this.#find(what);
    const around = found === undefined;
    if (around && !signal.aborted) {
      const { total = 0 } = window.progress;
      const edge = step > 0 ? { item: 0, row: -1 } : { item: total - 1, row: Infinity };
      found = await this.#find({ ...what, from: edge });
    }
    if (signal.aborted || rows !== view.rows) return;
    if (found === undefined) return this.#listener.say(`Not found: “${query}”`);
    await view.toHit(found);
    this.#around = around
      ? [
        step > 0 ? "search wrapped around to the beginning" : "search wrapped around to the end",
      ]
      : [];
    this.#listener.say("");
  }

  async #find(what: Step): Promise<RowPlace | undefined> {
    const { query } = what;
    const onItem = (item: number): void =>
      this.#listener.say(
        `Searching for “${query}” · ${item < 0 ? "near the end" : `block ${item + 1}`}`,
      );
    return await findHit(this.#view.rows, this.#matching, {
      ...what,
      onItem,
      known: (item, step) => this.#count?.next(item, step),
    });
  }
}

export class HitCount {
  readonly query: string;
  readonly #window: SessionWindow;
  readonly #hits: number[] = [];
  #searched = 0;
  #done = false;

  constructor(window: SessionWindow, query: string) {
    this.#window = window;
    this.query = query;
  }

  /** Searches the whole session once. Calls `onMore` after each batch of items, and at the end. */
  async run(
    { itemText }: Matching,
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
   * Returns the next block, after or before an item, that contains the text. Returns "none" if
   * there is none, and undefined if not known yet.
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

  /** Returns the count of matching blocks, such as "2 of 5 blocks" if `item` is the second. */
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
