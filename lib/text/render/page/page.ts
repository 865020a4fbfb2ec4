/**
 * Fills a page of a bounded size with whole items. An item that is longer than a page is cut. The
 * next page continues the cut item, so all pages joined are the whole text. Pure.
 */

interface ItemPart {
  text: string;
  /** Number of the item's characters that are shown up to the end of this page. */
  to: number;
}

interface PagePlace {
  item: number;
  /** Number of the item's characters that earlier pages have shown. */
  offset: number;
}

/** Returns the part of an item that begins at `from` and fits in `room` characters. */
type CutItem = (item: string, from: number, room: number) => ItemPart;

/** Number of characters reserved for the lines below a page, including the cursor. */
export const LAST_LINES = 300;

export class Page {
  readonly room: number;
  readonly #cut: CutItem;
  #text = "";
  #next: PagePlace | undefined;
  #left = 0;

  /**
   * @param room Number of characters that fit on the page.
   * @param cut Cuts an item that is longer than the page.
   */
  constructor(room: number, cut: CutItem = cutText) {
    this.room = room;
    this.#cut = cut;
  }

  /**
   * Adds the next item, whole if it fits.
   *
   * @param item Number of the item.
   * @param text The whole text of the item.
   * @param from Number of the text's characters that earlier pages showed.
   * @returns False if the page is full. Then this item, or the rest of it, begins the next page.
   */
  add(item: number, text: string, from = 0): boolean {
    const rest = text.length - from;
    if (from === 0 && this.#text.length + rest <= this.room) {
      this.#text += text;
      return true;
    }
    if (this.#text !== "") {
      this.#next = { item, offset: from };
      return false;
    }
    const part = this.#cut(text, from, this.room);
    this.#text = part.text;
    if (part.to >= text.length) return true;
    this.#next = { item, offset: part.to };
    this.#left = text.length - part.to;
    return false;
  }

  get text(): string {
    return this.#text;
  }

  /** The beginning of the next page. `undefined` on the last page. */
  get next(): PagePlace | undefined {
    return this.#next;
  }

  /** Number of characters of the cut item that were not shown. 0 if no item was cut. */
  get left(): number {
    return this.#left;
  }
}

/**
 * Cuts a text at the last line end, or else the last blank, in the last quarter of `room`. Without
 * one, cuts it after `room` characters.
 */
function cutText(item: string, from: number, room: number): ItemPart {
  const rest = item.slice(from, from + room);
  const to = from + rest.length;
  if (to >= item.length) return { text: rest, to: item.length };
  const least = Math.ceil(rest.length * 3 / 4);
  const breaks = [rest.lastIndexOf("\n"), rest.lastIndexOf(" ")].map((at) => at + 1);
  const end = breaks.find((at) => at >= least) ?? wholeCharacters(rest);
  return { text: rest.slice(0, end), to: from + end };
}

/** Returns a part of a JSON line as `{"part":…,"left":…}`. All parts joined are the line. */
export function cutJsonLine(item: string, from: number, room: number): ItemPart {
  let end = Math.min(item.length, from + room);
  for (;;) {
    const part = item.slice(from, end).slice(0, wholeCharacters(item.slice(from, end)));
    const to = from + part.length;
    const text = `${JSON.stringify({ part, left: item.length - to })}\n`;
    // Escapes take more than one character; the least that is left is one.
    if (text.length <= room || part.length <= 2) return { text, to };
    end = from + Math.max(1, Math.floor(part.length * room / (text.length + 1)));
  }
}

/** Counts the leading items that fit in `room`. `size` must grow with the number of items. */
export function countThatFits<Item>(
  items: readonly Item[],
  size: (items: readonly Item[]) => number,
  room: number,
): number {
  let [fits, too_many] = [0, items.length + 1];
  while (too_many - fits > 1) {
    const count = Math.floor((fits + too_many) / 2);
    if (size(items.slice(0, count)) <= room) fits = count;
    else too_many = count;
  }
  return fits;
}

/** Returns the length of a text without half a surrogate pair at its end. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return text.length > 1 && last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}

export function lastLines(cursor: string | undefined, left: number, form: "text" | "json"): string {
  if (cursor === undefined) return "";
  if (form === "json") return `${JSON.stringify({ cursor })}\n`;
  const mark = left === 0 ? "" : `\n[${left} more characters of this item on the next page]\n`;
  return `${mark}more: --cursor ${cursor}\n`;
}
