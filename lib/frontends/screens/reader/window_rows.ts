/** Reads and renders the rows of a session on demand, from any position. */
import type { SessionWindow } from "../../../library/handle/window/session_window.ts";
import type { DiffItem, TranscriptItem } from "../../../core/projection/transcript/item.ts";

/** A row of an item. Until all items are counted, `item` may count from the end: −1 is the last. */
export interface RowPlace {
  item: number;
  row: number;
}

export interface PlacedRow extends RowPlace {
  text: string;
}

/** Renders an item, in full if `open`. `change` is the file change that a call made. */
export type RenderRows = (
  item: TranscriptItem,
  open: boolean,
  change?: DiffItem,
) => readonly string[];

/** Number of items after a call that are searched for its file change. */
const NEAR = 4;

const MOST_RENDERED = 400;

export class WindowRows {
  readonly #window: SessionWindow;
  readonly #rendered = new Map<number, readonly string[]>();
  #open = new Set<number>();
  #render: RenderRows;
  #counted = false;

  constructor(window: SessionWindow, render: RenderRows) {
    this.#window = window;
    this.#render = render;
  }

  renderWith(render: RenderRows): void {
    this.#render = render;
    this.#rendered.clear();
  }

  toggle(item: number): void {
    if (!this.#open.delete(item)) this.#open.add(item);
    this.#rendered.delete(item);
  }

  open(item: number): void {
    if (!this.#open.has(item)) this.toggle(item);
  }

  /** Returns the place with an item number from the session's start, once all items are counted. */
  settled(place: RowPlace): RowPlace {
    const { total } = this.#window.progress;
    if (total === undefined || place.item >= 0) return place;
    this.#settle(total);
    const item = total + place.item;
    return item < 0 ? { item: 0, row: 0 } : { ...place, item };
  }

  /** Makes negative numbers of unfolded items positive, and clears cached rows. Runs only once. */
  #settle(total: number): void {
    if (this.#counted) return;
    this.#counted = true;
    this.#open = new Set([...this.#open].map((item) => item < 0 ? total + item : item));
    this.#rendered.clear();
  }

  async item(number: number): Promise<TranscriptItem | undefined> {
    return (await this.#window.items(number, 1))[0];
  }

  async changeOf(number: number, item: TranscriptItem | undefined): Promise<DiffItem | undefined> {
    if (item?.type !== "tool") return undefined;
    for (const one of await this.#window.items(number, 1 + NEAR)) {
      if (one.type === "diff" && one.call_id === item.call_id) return one;
    }
    return undefined;
  }

  async rowsOf(number: number): Promise<readonly string[] | undefined> {
    const known = this.#rendered.get(number);
    if (known !== undefined) return known;
    const item = await this.item(number);
    if (item === undefined) return undefined;
    const change = await this.changeOf(number, item);
    const rows = this.#render(item, this.#open.has(number), change);
    const [oldest] = this.#rendered.keys();
    if (this.#rendered.size >= MOST_RENDERED && oldest !== undefined) {
      this.#rendered.delete(oldest);
    }
    this.#rendered.set(number, rows);
    return rows;
  }

  /** Moves a place by rows, at most to the first or the last row. */
  async moved(from: RowPlace, count: number): Promise<RowPlace> {
    return count < 0 ? await this.#up(from, -count) : await this.#down(from, count);
  }

  /** True if the item can be read without waiting until the whole session is read. */
  async #isNear(item: number): Promise<boolean> {
    return item >= 0 || await this.#window.reach(item);
  }

  async #down({ item, row }: RowPlace, count: number): Promise<RowPlace> {
    let rows = await this.rowsOf(item) ?? [];
    let at = row + count;
    while (at >= rows.length) {
      const below = next(item);
      const more = below === undefined ? undefined : await this.rowsOf(below);
      if (below === undefined || more === undefined) {
        return { item, row: Math.max(0, rows.length - 1) };
      }
      at -= rows.length;
      [item, rows] = [below, more];
    }
    return { item, row: at };
  }

  async #up({ item, row }: RowPlace, count: number): Promise<RowPlace> {
    let at = row - count;
    while (at < 0) {
      const above = before(item);
      // A key does not wait until all is read.
      const near = above !== undefined && await this.#isNear(above);
      const rows = near ? await this.rowsOf(above) : undefined;
      if (above === undefined || rows === undefined) return { item, row: 0 };
      at += rows.length;
      item = above;
    }
    return { item, row: at };
  }

  async from({ item, row }: RowPlace, count: number): Promise<PlacedRow[]> {
    const found: PlacedRow[] = [];
    for (let at: number | undefined = item; at !== undefined; at = next(at)) {
      const rows: readonly string[] | undefined = await this.rowsOf(at);
      if (rows === undefined) break;
      for (let line = at === item ? row : 0; line < rows.length; line++) {
        if (found.length >= count) return found;
        found.push({ item: at, row: line, text: rows[line] ?? "" });
      }
      if (found.length >= count) break;
    }
    return found;
  }

  /** Returns the place of the first of `count` screen rows that show the session's end. */
  async end(count: number): Promise<RowPlace> {
    const { total } = this.#window.progress;
    const item = total === undefined ? -1 : Math.max(0, total - 1);
    const rows = await this.rowsOf(item) ?? [];
    // An item ends with an empty row: below the last one it is not wanted.
    const last = rows.length - (rows.at(-1) === "" ? 2 : 1);
    return await this.moved({ item, row: Math.max(0, last) }, -(count - 1));
  }

  async findPrompt(from: number, step: 1 | -1): Promise<number | undefined> {
    return await this.#find(from, step, isPrompt);
  }

  /** Returns the number of the next or previous item that has rows. Undefined if none is found. */
  async findBlock(from: number, step: 1 | -1): Promise<number | undefined> {
    return await this.#find(from, step, async (_, at) => (await this.rowsOf(at) ?? []).length > 0);
  }

  async #find(
    from: number,
    step: 1 | -1,
    fits: (item: TranscriptItem, at: number) => boolean | Promise<boolean>,
  ): Promise<number | undefined> {
    const follow = step > 0 ? next : before;
    for (let at = follow(from); at !== undefined; at = follow(at)) {
      if (!await this.#isNear(at)) return undefined;
      const item = await this.item(at);
      if (item === undefined) return undefined;
      if (await fits(item, at)) return at;
    }
    return undefined;
  }
}

function isPrompt(item: TranscriptItem): boolean {
  return item.type === "message" && item.role === "user";
}

/** Returns the number of the next item. Undefined after -1, the last item. */
export function next(item: number): number | undefined {
  return item === -1 ? undefined : item + 1;
}

export function before(item: number): number | undefined {
  return item === 0 ? undefined : item - 1;
}
